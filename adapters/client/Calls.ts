// The types of a client's methods: one per operation of the document, from what openapi-typescript writes of it.

/** What a call has to know of its operation. */
export interface Route {
  readonly method: string
  /** Has `{name}` in place of each path parameter. */
  readonly path: string
  /** Whether it takes an Idempotency-Key. */
  readonly keyed: boolean
  /** The media type of what it answers, unless that is JSON. */
  readonly file?: string
  /** The member of the answer whose entries go on after `next_cursor`. */
  readonly list?: string
}

/** One operation as openapi-typescript writes it. */
export interface Operation {
  readonly parameters: { readonly path?: unknown; readonly query?: unknown; readonly header?: unknown }
  readonly requestBody?: unknown
  readonly responses: unknown
}

/** A member of the input: absent where the operation has none, optional where nothing in it is required. */
type Member<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [One in Name]?: Value }
    : { readonly [One in Name]: Value }

type JsonOf<Content> = Content extends { readonly content: { readonly "application/json": infer Json } } ? Json : never

type Input<Of extends Operation, To extends Route> = Member<"path", NonNullable<Of["parameters"]["path"]>> &
  Member<"query", NonNullable<Of["parameters"]["query"]>> &
  Member<"body", JsonOf<NonNullable<Of["requestBody"]>>> & {
    /** Ends the call, and the waiting between two attempts. */
    readonly signal?: AbortSignal
  } & (To["keyed"] extends true
    ? {
        /** One per purchase or change that was decided on. A call without one makes its own and keeps it over its attempts. */
        readonly idempotencyKey?: string
      }
    : unknown)

type Succeeded<Responses> = Responses[keyof Responses & (200 | 201 | 202)]

/** JSON as the document types it, a text as a string, any other file as its bytes. */
type Answer<Response> = Response extends { readonly content: infer Content }
  ? Content extends { readonly "application/json": infer Json }
    ? Json
    : keyof Content extends `text/${string}`
      ? string
      : ArrayBuffer
  : never

type Entry<Page, Name extends string> = Page extends { readonly [One in Name]: ReadonlyArray<infer Listed> }
  ? Listed
  : never

/** A page, and by `for await` the entries of this and all later pages. */
export type Pages<Page, Name extends string> = Promise<Page> & AsyncIterable<Entry<Page, Name>>

type Answered<Body, To extends Route> = To extends { readonly list: infer Name extends string }
  ? Pages<Body, Name>
  : Promise<Body>

type Call<Given, Result> = Record<never, never> extends Given ? (input?: Given) => Result : (input: Given) => Result

/** One method per route, under the `operationId` of its operation. The document's webhooks are operations without a route. */
export type Calls<
  Operations extends { readonly [Id in keyof Routes]: Operation },
  Routes extends { readonly [Id in keyof Routes]: Route }
> = {
  readonly [Id in keyof Routes]: Call<
    Input<Operations[Id], Routes[Id]>,
    Answered<Answer<Succeeded<Operations[Id]["responses"]>>, Routes[Id]>
  >
}
