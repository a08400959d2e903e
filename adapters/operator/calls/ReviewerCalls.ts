// Calls about reviewers, who sign in by name and password to an account of the sandbox.
import { Schema, Struct } from "effect"
import { RpcGroup } from "effect/rpc"
import { Reviewer as CoreReviewer, isReviewerName, MAX_REVIEW_DAYS } from "#core/domain/members/Reviewer.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { argument, flag } from "../records/CommandFields.ts"
import { call } from "./Call.ts"

const Name = Schema.String.check(
  Schema.makeFilter(isReviewerName, { message: "Must be 3 to 40 letters, digits, dots and dashes." })
).pipe(argument("Name that the reviewer types: 3 to 40 letters, digits, dots and dashes"))

const DEFAULT_DAYS = 30

const Days = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: MAX_REVIEW_DAYS }, { message: `Must be 1 to ${MAX_REVIEW_DAYS} days.` })
).pipe(flag(`Days that it is good for, ${DEFAULT_DAYS} unless told`, { otherwise: DEFAULT_DAYS }))

export const Reviewer = Schema.Struct(Struct.omit(CoreReviewer.fields, ["passwordHash"]))

export class ReviewerRpcs extends RpcGroup.make(
  /** Opens the account. `password` is returned only here; it is good for the given number of days. */
  call(
    "createReviewer",
    "admin",
    { name: Name, days: Days },
    Schema.Struct({ reviewer: Reviewer, password: Schema.String }),
    { isWaitedFor: true }
  ),
  /** Newest first, ended ones too. */
  call("listReviewers", "admin", {}, Schema.Array(Reviewer)),
  /** Closes the account: its keys, connections and sessions end. */
  call("endReviewer", "admin", { name: Name }, Reviewer)
).middleware(OperatorMiddleware) {}
