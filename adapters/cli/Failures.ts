// Text of a failed command for standard error: the service's message with code and suggestion, or the command's own sentence.
import type { OperatorError } from "#adapters/operator/OperatorError.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import { DEFAULT_URL } from "./Connect.ts"

/** Codes for which the address may be wrong. */
const ABOUT_ADDRESS: ReadonlyArray<string> = ["service_unreachable", "answer_not_understood"]

const refusalText = ({ code, message, suggestion, errors = [], request_id }: OperatorError): string =>
  [
    `${message} (${code})`,
    // A single error is already in the message.
    ...(errors.length < 2 ? [] : errors).map((error) => `  ${error.path}: ${error.message}`),
    ...(suggestion === undefined ? [] : [suggestion]),
    ...(ABOUT_ADDRESS.includes(code) ? [`The address is --url, or OPERATOR_URL, or ${DEFAULT_URL}.`] : []),
    ...(request_id === undefined ? [] : [`Request ${request_id}`])
  ].join("\n")

export const failureText = (failure: OperatorError | CommandFailed): string =>
  failure._tag === "CommandFailed" ? failure.sentence : refusalText(failure)
