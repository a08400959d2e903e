// Handlers of the calls about reviewers.
import { Effect, Redacted } from "effect"
import { ManageReviewers } from "#core/usecases/ManageReviewers.ts"
import { asOperator } from "../CurrentOperator.ts"
import { ReviewerRpcs } from "../calls/ReviewerCalls.ts"
import { withOperatorError } from "../OperatorError.ts"
import { showReviewer } from "../records/ReviewerRecords.ts"

export const layer = ReviewerRpcs.toLayer(
  Effect.gen(function* () {
    const reviewers = yield* ManageReviewers

    return ReviewerRpcs.of({
      createReviewer: (order) =>
        Effect.map(
          asOperator((by) => reviewers.create(order, by)),
          ({ reviewer, password }) => ({ reviewer: showReviewer(reviewer), password: Redacted.value(password) })
        ),
      listReviewers: () => withOperatorError(Effect.map(reviewers.list, (all) => all.map(showReviewer))),
      endReviewer: ({ name }) =>
        Effect.map(
          asOperator((by) => reviewers.end(name, by)),
          showReviewer
        )
    })
  })
)
