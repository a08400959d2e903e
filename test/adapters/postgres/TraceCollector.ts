// A stand-in for a trace collector: records what it receives by OTLP over HTTP.
import { Effect, Schema } from "effect"
import { httpServer } from "#test/adapters/outbound/Loopback.ts"

const Attribute = Schema.Struct({ key: Schema.String, value: Schema.Record(Schema.String, Schema.Unknown) })

export const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  name: Schema.String,
  /** 2: server, 3: client. */
  kind: Schema.Int,
  attributes: Schema.Array(Attribute)
})
export type Span = typeof Span.Type

const Export = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({
        resource: Schema.Struct({ attributes: Schema.Array(Attribute) }),
        scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) }))
      })
    )
  })
)

const spansIn = (body: string): ReadonlyArray<Span> =>
  Schema.decodeUnknownSync(Export)(body).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans)
  )

export const attributeOf = ({ attributes }: Span, name: string): string | undefined => {
  const found = attributes.find(({ key }) => key === name)?.value["stringValue"]
  return typeof found === "string" ? found : undefined
}

/** Until the scope ends. */
export const traceCollector = Effect.gen(function* () {
  const bodies: Array<string> = []
  const paths = new Set<string>()
  const { port } = yield* httpServer((request, response) => {
    const chunks: Array<Buffer> = []
    paths.add(`${request.method} ${request.url}`)
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString("utf8"))
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** The bodies of all requests. */
    bodies,
    paths,
    spans: () => bodies.flatMap(spansIn)
  }
})
