// Handlers of the calls about reviewers.
import { Effect, Redacted } from "effect"
import { ManageReviewers } from "#core/usecases/members/ManageReviewers.ts"
import { asOperator } from "../CurrentOperator.ts"
import { ReviewerRpcs } from "../calls/ReviewerCalls.ts"
import { withOperatorError } from "../OperatorError.ts"

export const layer = ReviewerRpcs.toLayer(
  Effect.gen(function* () {
    const reviewers = yield* ManageReviewers

    return ReviewerRpcs.of({
      createReviewer: (order) =>
        Effect.map(
          asOperator((by) => reviewers.create(order, by)),
          ({ reviewer, password }) => ({ reviewer, password: Redacted.value(password) })
        ),
      listReviewers: () => withOperatorError(reviewers.list),
      endReviewer: ({ name }) => asOperator((by) => reviewers.end(name, by))
    })
  })
)
