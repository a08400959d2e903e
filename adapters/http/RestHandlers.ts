// The REST side of the operations: each endpoint of the API calls the operation of its name.
import { Effect, Layer, Record } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CallingAccount } from "#core/domain/CallingAccount.ts"
import { CurrentCaller } from "./api/Access.ts"
import { Api } from "./api/Api.ts"
import { toHttpResponse, withErrorResponses } from "./ErrorResponses.ts"
import { withMinimalContext } from "./MinimalContext.ts"
import { JsonResponse } from "./operations/JsonResponse.ts"
import type { AnyOperation } from "./operations/Operation.ts"
import { Operations } from "./operations/Operations.ts"
import { repeatableIfDryRun } from "./operations/Repeatability.ts"

type Response = HttpServerResponse.HttpServerResponse

type HandlersOf<Group extends Readonly<Record<string, AnyOperation>>> = {
  readonly [Id in keyof Group]: (
    request: Parameters<Group[Id]>[1]
  ) => Effect.Effect<
    Exclude<Effect.Success<ReturnType<Group[Id]>>, JsonResponse> | Response,
    never,
    CurrentCaller | HttpServerRequest.HttpServerRequest
  >
}

/** Whether the client has the response with this tag: `If-None-Match` is a list of tags, or `*`. */
const hasCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim())) === true

const send = <A>(output: A) => {
  if (!(output instanceof JsonResponse)) return Effect.succeed(output)
  const { headers = {} } = output
  const { etag } = headers
  if (etag === undefined) return Effect.succeed(toHttpResponse(output))
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    hasCurrent(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : toHttpResponse(output)
  )
}

const handlersOf = <Group extends Readonly<Record<string, AnyOperation>>>(operations: Group) =>
  Record.map(
    operations,
    (operation: AnyOperation) => (request: never) =>
      withErrorResponses(
        Effect.flatMap(CurrentCaller, (caller) =>
          Effect.provideService(Effect.flatMap(operation(caller, request), send), CallingAccount, caller.accountId)
        )
      ).pipe(repeatableIfDryRun(request))
    // Each handler has the types of the operation of the same name, which mapping over a record forgets.
  ) as HandlersOf<Group>

/** Serves every group of the API. */
export const layer = Layer.unwrap(
  Effect.map(Operations, (operations) =>
    withMinimalContext(
      Layer.mergeAll(
        HttpApiBuilder.group(Api, "balance", (group) => group.handleAll(handlersOf(operations.balance))),
        HttpApiBuilder.group(Api, "catalog", (group) => group.handleAll(handlersOf(operations.catalog))),
        HttpApiBuilder.group(Api, "deliveries", (group) => group.handleAll(handlersOf(operations.deliveries))),
        HttpApiBuilder.group(Api, "invoices", (group) => group.handleAll(handlersOf(operations.invoices))),
        HttpApiBuilder.group(Api, "orders", (group) => group.handleAll(handlersOf(operations.orders))),
        HttpApiBuilder.group(Api, "quotes", (group) => group.handleAll(handlersOf(operations.quotes))),
        HttpApiBuilder.group(Api, "sandbox", (group) => group.handleAll(handlersOf(operations.sandbox))),
        HttpApiBuilder.group(Api, "aiVisibility", (group) => group.handleAll(handlersOf(operations.aiVisibility))),
        HttpApiBuilder.group(Api, "webhooks", (group) => group.handleAll(handlersOf(operations.webhooks)))
      )
    )
  )
)
