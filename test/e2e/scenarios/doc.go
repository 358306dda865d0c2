// Package scenarios runs FlameClusters on a real API server: flame-hook as a
// process, Metacontroller or its stand-in next to it, and a fake kubelet that makes
// pods run or fail. Each test is one scenario; most run once in each apply mode.
//
// Environment variables:
//
//   - METACONTROLLER_BIN names a binary of Metacontroller; without it the stand-in runs.
//   - FLAME_HOOK_BIN names a binary of flame-hook to test instead of building one.
//   - E2E_APPLY_MODE restricts a run to dynamic-apply or server-side-apply.
//   - E2E_FLEET is the number of FlameClusters of TestFleet, 200 by default.
//   - E2E_KEEP keeps the directory with all logs; after a failure it is kept anyway.
package scenarios
