// Records and launches a CUDA graph; see the header.
#include "CudaGraph.h"

using namespace kernelskill;
using llvm::Error;
using llvm::Expected;

bool kernelskill::isCapturing(const CudaDriver &driver, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver.cuStreamIsCapturing(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

Expected<std::unique_ptr<CudaGraph>>
CudaGraph::record(CudaDevice &device, llvm::function_ref<Error()> enqueue) {
  const CudaDriver &driver = device.driver;
  std::unique_ptr<CudaGraph> made(new CudaGraph(device));
  // Of this thread only: what others allocate meanwhile is not our business.
  if (Error error =
          driver.check(driver.cuStreamBeginCapture_v2(
                           device.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                       "starting to record"))
    return error;
  Error error = enqueue();
  CUgraph recorded = nullptr;
  // Ends in any case, or the stream could not be used any more. After a failed
  // launch the end fails as well; the launch says why.
  CUresult ended = driver.cuStreamEndCapture(device.stream, &recorded);
  if (!error)
    error = driver.check(ended, "ending to record");
  if (!error)
    error = driver.check(
        driver.cuGraphInstantiateWithFlags(&made->graph, recorded, 0),
        "instantiating the graph");
  if (recorded)
    driver.cuGraphDestroy(recorded);
  // Uploads now, so that the first launch takes no longer than the others.
  if (!error)
    error = driver.check(driver.cuGraphUpload(made->graph, device.stream),
                         "uploading the graph");
  if (!error)
    error =
        driver.check(driver.cuEventCreate(&made->done, CU_EVENT_DISABLE_TIMING),
                     "creating an event");
  if (error)
    return error;
  return made;
}

CudaGraph::~CudaGraph() {
  if (device.isPoisoned())
    return;
  if (done) {
    device.driver.cuEventSynchronize(done);
    device.driver.cuEventDestroy_v2(done);
  }
  if (graph)
    device.driver.cuGraphExecDestroy(graph);
}

Error CudaGraph::launch(CUstream stream) {
  if (Error error = device.driver.check(
          device.driver.cuGraphLaunch(graph, stream), "launching the graph"))
    return error;
  return device.driver.check(device.driver.cuEventRecord(done, stream),
                             "recording an event");
}
