// The record sizes of the table, in bytes.
#pragma once
#define RECORD_SIZES(X) \
  X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(36) X(40) X(44) X(48) X(56) X(64) X(72) X(80) X(96) X(100) X(112) X(128)
