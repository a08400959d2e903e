// `reviewer`: sign-ins for reviewers of directories, each to an account of the sandbox.
import { Reviewer } from "#adapters/operator/calls/ReviewerCalls.ts"
import { command, group, tableOf } from "../CallCommand.ts"
import { columns, text, timeText } from "../Columns.ts"

const reviewerColumns = columns(Reviewer, {
  NAME: text("name"),
  ACCOUNT: "accountId",
  CREATED: "createdAtMs",
  EXPIRES: "expiresAtMs",
  ENDED: "endedAtMs"
})

export const reviewerCommand = group(
  "reviewer",
  "Sign-ins by password for reviewers of directories, in the sandbox alone",
  [
    command("create", "createReviewer", {
      about: "Open an account of the sandbox for a reviewer, and make its password",
      example: ["reviewer create chatgpt --days 60", "Let a directory try the service"],
      says: ({ reviewer: { name, accountId, expiresAtMs }, password }) =>
        [
          `Name: ${name}`,
          `Password: ${password}`,
          `The password is not shown again. Both sign in at /account/sign-in/reviewer until ${timeText(expiresAtMs)}, to ${accountId}.`
        ].join("\n")
    }),
    command("list", "listReviewers", {
      about: "List the sign-ins of reviewers, newest first",
      says: tableOf(reviewerColumns, "There are no reviewers.")
    }),
    command("end", "endReviewer", {
      about: "End a reviewer's sign-in, and close its account with keys, connections and sessions",
      says: ({ name, accountId }) => `${name} can no longer sign in, and ${accountId} is closed.`
    })
  ]
)
