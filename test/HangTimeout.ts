// How long a test waits for a browser, a terminal or a program that it started.

/** Ends one that hangs, but not one that is slow because the machine is busy. */
export const HANG_TIMEOUT_MS = 60_000
