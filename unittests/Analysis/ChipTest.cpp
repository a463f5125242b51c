// The chip table is consistent in itself.
#include "KernelSkill/Analysis/Chip.h"

#include <gtest/gtest.h>

using namespace kernelskill;

TEST(Chip, RatesFollowFromLanesAndClock) {
  for (const Chip &chip : knownChips()) {
    double lanes = chip.name == "sm_80" ? 64 : 128;
    double peak = 2 * lanes * chip.clockGHz * 1e9 * chip.multiprocessors;
    EXPECT_NEAR(chip.fp32FlopsPerSecond / peak, 1, 0.02) << chip.name.str();
    EXPECT_GT(chip.l2BytesPerSecond, chip.dramBytesPerSecond);
    EXPECT_LT(chip.sharedPerBlock, chip.sharedPerMultiprocessor);
  }
}

TEST(Chip, UnknownChipListsTheKnown) {
  llvm::Expected<const Chip *> found = findChip("sm_90a");
  ASSERT_TRUE(bool(found));
  EXPECT_EQ((*found)->multiprocessors, 132u);
  llvm::Expected<const Chip *> unknown = findChip("sm_13");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown chip 'sm_13'; known chips: sm_80, sm_86, sm_89, sm_90, "
            "sm_90a, sm_100, sm_100a, sm_120");
}
