// The definition of the REST API, from which the server, the clients and the documentation are made.
import { HttpApi, OpenApi } from "effect/http-api"
import { strict } from "#adapters/contract/decoding/StrictDecoding.ts"
import { SERVICE_NAME, VERSION } from "#adapters/contract/shared/ServiceDescription.ts"
import { Access } from "./Access.ts"
import { BalanceApi } from "./BalanceApi.ts"
import { CatalogApi } from "./CatalogApi.ts"
import { DeliveriesApi } from "./DeliveriesApi.ts"
import { EventsApi } from "./EventsApi.ts"
import { InvoicesApi } from "./InvoicesApi.ts"
import { LinksApi } from "./LinksApi.ts"
import { MeApi } from "./MeApi.ts"
import { OrdersApi } from "./OrdersApi.ts"
import { QuotesApi } from "./QuotesApi.ts"
import { SandboxApi } from "./SandboxApi.ts"
import { VisibilityApi } from "./VisibilityApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

export class Api extends HttpApi.make("backlinks")
  .add(
    CatalogApi,
    OrdersApi,
    LinksApi,
    QuotesApi,
    MeApi,
    BalanceApi,
    InvoicesApi,
    WebhooksApi,
    DeliveriesApi,
    EventsApi,
    VisibilityApi,
    SandboxApi
  )
  .prefix("/api/v1/agent")
  .middleware(Access)
  .annotate(HttpApi.ParamsParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotateMerge(
    OpenApi.annotations({
      title: SERVICE_NAME,
      version: VERSION,
      summary: "Buy backlinks for a human account, from a program or an AI agent.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}
