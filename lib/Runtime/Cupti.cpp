// Hardware counters in process: CUPTI's range profiler, opened by dlopen. Each
// launch is a range (auto range), and the whole program is run once a pass
// (user replay): replaying each kernel by itself would save and restore all
// memory of the device around it, and show it other contents of the caches. It
// takes Nsight Compute's metric names, except launch__*, which are not
// counters.
#include "CudaDevice.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Process.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

using namespace kernelskill;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

#define KERNELSKILL_CUPTI_SYMBOLS(X)                                           \
  X(cuptiGetResultString)                                                      \
  X(cuptiProfilerInitialize)                                                   \
  X(cuptiDeviceGetChipName)                                                    \
  X(cuptiProfilerGetCounterAvailability)                                       \
  X(cuptiProfilerHostInitialize)                                               \
  X(cuptiProfilerHostDeinitialize)                                             \
  X(cuptiProfilerHostConfigAddMetrics)                                         \
  X(cuptiProfilerHostGetConfigImageSize)                                       \
  X(cuptiProfilerHostGetConfigImage)                                           \
  X(cuptiProfilerHostEvaluateToGpuValues)                                      \
  X(cuptiRangeProfilerEnable)                                                  \
  X(cuptiRangeProfilerDisable)                                                 \
  X(cuptiRangeProfilerGetCounterDataSize)                                      \
  X(cuptiRangeProfilerCounterDataImageInitialize)                              \
  X(cuptiRangeProfilerSetConfig)                                               \
  X(cuptiRangeProfilerStart)                                                   \
  X(cuptiRangeProfilerStop)                                                    \
  X(cuptiRangeProfilerDecodeData)                                              \
  X(cuptiRangeProfilerGetCounterDataInfo)

namespace {
struct Cupti {
#define KERNELSKILL_DECLARE(name) decltype(&::name) name = nullptr;
  KERNELSKILL_CUPTI_SYMBOLS(KERNELSKILL_DECLARE)
#undef KERNELSKILL_DECLARE

  Error load() {
    std::vector<std::string> tried = {"libcupti.so.13", "libcupti.so"};
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
      if (auto home = llvm::sys::Process::GetEnv(variable)) {
        tried.push_back(*home + "/extras/CUPTI/lib64/libcupti.so.13");
        tried.push_back(*home + "/lib64/libcupti.so.13");
        tried.push_back(*home + "/lib/libcupti.so.13");
      }
    tried.push_back("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13");
    tried.push_back("/usr/local/cuda/lib64/libcupti.so.13");
    void *library = nullptr;
    for (const std::string &path : tried)
      if ((library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)))
        break;
    if (!library)
      return llvm::createStringError(
          "no hardware counters: libcupti.so.13 is not found (tried " +
          llvm::join(tried, ", ") +
          "); install CUDA 13's CUPTI or set CUDA_HOME");
#define KERNELSKILL_RESOLVE(name)                                              \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name));              \
  if (!name)                                                                   \
    return llvm::createStringError("no hardware counters: CUPTI has no " #name \
                                   "; install CUDA 13's CUPTI");
    KERNELSKILL_CUPTI_SYMBOLS(KERNELSKILL_RESOLVE)
#undef KERNELSKILL_RESOLVE
    return Error::success();
  }

  Error check(CUptiResult result, const char *what) const {
    if (result == CUPTI_SUCCESS)
      return Error::success();
    const char *text = nullptr;
    cuptiGetResultString(result, &text);
    std::string advice;
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
      advice = "; counters need permission: NVIDIA's driver option "
               "NVreg_RestrictProfilingToAdminUsers=0, or root";
    return llvm::createStringError(Twine("no hardware counters: ") + what +
                                   ": " + (text ? text : "?") + advice);
  }
};
} // namespace

// CUPTI's parameter structs start with their size up to the last known field.
#define KERNELSKILL_PARAMS(type, variable)                                     \
  type variable = {};                                                          \
  variable.structSize = type##_STRUCT_SIZE;
#define KERNELSKILL_TRY(call)                                                  \
  if (Error error = cupti.check(cupti.call, #call))                            \
    return error;

Expected<std::vector<std::map<std::string, double>>>
kernelskill::collectCounters(CudaDevice &device,
                             llvm::ArrayRef<std::string> metrics,
                             unsigned launches,
                             llvm::function_ref<Error()> prepare,
                             llvm::function_ref<Error()> body) {
  Cupti cupti;
  if (Error error = cupti.load())
    return error;
  std::vector<const char *> names;
  for (const std::string &metric : metrics)
    names.push_back(metric.c_str());

  KERNELSKILL_PARAMS(CUpti_Profiler_Initialize_Params, initialize)
  KERNELSKILL_TRY(cuptiProfilerInitialize(&initialize))
  KERNELSKILL_PARAMS(CUpti_Device_GetChipName_Params, chip)
  chip.deviceIndex = device.device;
  KERNELSKILL_TRY(cuptiDeviceGetChipName(&chip))
  KERNELSKILL_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, availability)
  availability.ctx = device.context;
  KERNELSKILL_TRY(cuptiProfilerGetCounterAvailability(&availability))
  std::vector<uint8_t> available(availability.counterAvailabilityImageSize);
  availability.pCounterAvailabilityImage = available.data();
  KERNELSKILL_TRY(cuptiProfilerGetCounterAvailability(&availability))

  KERNELSKILL_PARAMS(CUpti_Profiler_Host_Initialize_Params, host)
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = available.data();
  KERNELSKILL_TRY(cuptiProfilerHostInitialize(&host))
  llvm::scope_exit freeHost([&] {
    KERNELSKILL_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, deinitialize)
    deinitialize.pHostObject = host.pHostObject;
    cupti.cuptiProfilerHostDeinitialize(&deinitialize);
  });
  KERNELSKILL_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add)
  add.pHostObject = host.pHostObject;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  KERNELSKILL_TRY(cuptiProfilerHostConfigAddMetrics(&add))
  KERNELSKILL_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, configSize)
  configSize.pHostObject = host.pHostObject;
  KERNELSKILL_TRY(cuptiProfilerHostGetConfigImageSize(&configSize))
  std::vector<uint8_t> config(configSize.configImageSize);
  KERNELSKILL_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, getConfig)
  getConfig.pHostObject = host.pHostObject;
  getConfig.configImageSize = config.size();
  getConfig.pConfigImage = config.data();
  KERNELSKILL_TRY(cuptiProfilerHostGetConfigImage(&getConfig))

  KERNELSKILL_PARAMS(CUpti_RangeProfiler_Enable_Params, enable)
  enable.ctx = device.context;
  KERNELSKILL_TRY(cuptiRangeProfilerEnable(&enable))
  llvm::scope_exit disable([&] {
    KERNELSKILL_PARAMS(CUpti_RangeProfiler_Disable_Params, off)
    off.pRangeProfilerObject = enable.pRangeProfilerObject;
    cupti.cuptiRangeProfilerDisable(&off);
  });
  KERNELSKILL_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, dataSize)
  dataSize.pRangeProfilerObject = enable.pRangeProfilerObject;
  dataSize.pMetricNames = names.data();
  dataSize.numMetrics = names.size();
  dataSize.maxNumOfRanges = launches;
  dataSize.maxNumRangeTreeNodes = launches;
  KERNELSKILL_TRY(cuptiRangeProfilerGetCounterDataSize(&dataSize))
  std::vector<uint8_t> data(dataSize.counterDataSize);
  KERNELSKILL_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
                     image)
  image.pRangeProfilerObject = enable.pRangeProfilerObject;
  image.counterDataSize = data.size();
  image.pCounterData = data.data();
  KERNELSKILL_TRY(cuptiRangeProfilerCounterDataImageInitialize(&image))
  KERNELSKILL_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set)
  set.pRangeProfilerObject = enable.pRangeProfilerObject;
  set.configSize = config.size();
  set.pConfig = config.data();
  set.counterDataImageSize = data.size();
  set.pCounterDataImage = data.data();
  set.range = CUPTI_AutoRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = launches;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.targetNestingLevel = 1;
  KERNELSKILL_TRY(cuptiRangeProfilerSetConfig(&set))
  for (bool allPasses = false; !allPasses;) {
    if (Error error = prepare())
      return error;
    KERNELSKILL_PARAMS(CUpti_RangeProfiler_Start_Params, start)
    start.pRangeProfilerObject = enable.pRangeProfilerObject;
    KERNELSKILL_TRY(cuptiRangeProfilerStart(&start))
    Error failure = body();
    KERNELSKILL_PARAMS(CUpti_RangeProfiler_Stop_Params, stop)
    stop.pRangeProfilerObject = enable.pRangeProfilerObject;
    CUptiResult stopped = cupti.cuptiRangeProfilerStop(&stop);
    if (failure)
      return failure;
    if (Error error = cupti.check(stopped, "cuptiRangeProfilerStop"))
      return error;
    allPasses = stop.isAllPassSubmitted;
  }
  KERNELSKILL_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode)
  decode.pRangeProfilerObject = enable.pRangeProfilerObject;
  KERNELSKILL_TRY(cuptiRangeProfilerDecodeData(&decode))
  KERNELSKILL_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info)
  info.pCounterDataImage = data.data();
  info.counterDataImageSize = data.size();
  KERNELSKILL_TRY(cuptiRangeProfilerGetCounterDataInfo(&info))

  std::vector<std::map<std::string, double>> values(info.numTotalRanges);
  std::vector<double> row(names.size());
  for (size_t range = 0; range < values.size(); ++range) {
    KERNELSKILL_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate)
    evaluate.pHostObject = host.pHostObject;
    evaluate.pCounterDataImage = data.data();
    evaluate.counterDataImageSize = data.size();
    evaluate.rangeIndex = range;
    evaluate.ppMetricNames = names.data();
    evaluate.numMetrics = names.size();
    evaluate.pMetricValues = row.data();
    KERNELSKILL_TRY(cuptiProfilerHostEvaluateToGpuValues(&evaluate))
    for (auto [metric, value] : llvm::zip_equal(metrics, row))
      values[range][metric] = value;
  }
  return values;
}
