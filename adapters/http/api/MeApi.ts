// The endpoint that tells a client what its credential is.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Me } from "#adapters/contract/access/Me.ts"
import { describe, errorsOf } from "./EndpointDescription.ts"

const getMe = HttpApiEndpoint.get("getMe", "/me", { success: Me, error: errorsOf() }).annotateMerge(
  describe(
    "read",
    "Read whose key this is, its limits, and what is left of them today",
    "Also the account's open quotes, and where the user reaches the operator."
  )
)

export class MeApi extends HttpApiGroup.make("me")
  .add(getMe)
  .annotateMerge(OpenApi.annotations({ title: "Me", description: "The credential of the caller." })) {}
