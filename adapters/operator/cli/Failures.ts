// What went wrong, as a sentence or several on standard error: the service's own words with code and suggestion, or ours.
import type { OperatorError } from "../OperatorError.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import { DEFAULT_URL } from "./Connect.ts"

/** Where nobody of ours answered, the address may be the mistake. */
const ABOUT_ADDRESS: ReadonlyArray<string> = ["service_unreachable", "answer_not_understood"]

const refusalText = ({ code, message, suggestion, errors = [], request_id }: OperatorError): string =>
  [
    `${message} (${code})`,
    // A single fault is the message itself.
    ...(errors.length < 2 ? [] : errors).map((error) => `  ${error.path}: ${error.message}`),
    ...(suggestion === undefined ? [] : [suggestion]),
    ...(ABOUT_ADDRESS.includes(code) ? [`The address is --url, or OPERATOR_URL, or ${DEFAULT_URL}.`] : []),
    ...(request_id === undefined ? [] : [`Request ${request_id}`])
  ].join("\n")

export const failureText = (failure: OperatorError | CommandFailed): string =>
  failure._tag === "CommandFailed" ? failure.sentence : refusalText(failure)
