// The account that a request is for, so that a store can share its capacity among accounts. Empty for work of no single account.
import { Context } from "effect"

export const CallingAccount = Context.Reference<string>("backlinks/concurrency/CallingAccount", {
  defaultValue: () => ""
})
