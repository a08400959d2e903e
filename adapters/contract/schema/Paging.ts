// Paging: page size, cursors and the parameters of a paged list. A cursor is opaque and bound to the filters and the sort
// it was made for, because a position means nothing in another order. It is no secret: a forged cursor only selects another
// page of what its caller may read.
import { Hash, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { MAX_PAGE_SIZE } from "#core/domain/catalogue/Catalogue.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import { CursorInvalid } from "#core/domain/shared/RequestRefusal.ts"
import { asName } from "./MemberMarks.ts"
import { queryInt } from "./QueryValue.ts"
import { text } from "./Text.ts"

export const PAGE_SIZE = 20

export const Limit = queryInt(
  `How many entries a page has: ${PAGE_SIZE} unless told, at most ${MAX_PAGE_SIZE}.`,
  1,
  MAX_PAGE_SIZE
)

export const Cursor = text(1).annotate({
  description:
    "Opaque position from `next_cursor` of the page before. Send it with the very same filters and sort; never build one.",
  ...asName
})

/** In responses: absent on the last page. */
export const NextCursor = Schema.optionalKey(
  Schema.String.annotate({ description: "Send as `cursor` for the next page. Absent on the last page." })
)

/** Parameters of a list without filters. */
export const PageQuery = Schema.Struct({
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
})
export type PageQuery = typeof PageQuery.Type

export interface PageCursor<Position> {
  readonly write: (filters: Json, position: Position) => string
  readonly read: (filters: Json, cursor: string) => Result.Result<Position, CursorInvalid>
  /** Where the page begins: `null` without a cursor, at the beginning of the list. */
  readonly begin: (filters: Json, cursor: string | undefined) => Result.Result<Position | null, CursorInvalid>
  /** The member of the answer that leads to the next page; none on the last one. */
  readonly next: (filters: Json, position: Position | null) => { readonly next_cursor?: string }
}

const fingerprint = (filters: Json): number => Hash.string(canonicalJson(filters))

/** `kind` keeps the cursors of different lists apart. */
export const pageCursor = <Position, Encoded>(
  kind: string,
  schema: Schema.Codec<Position, Encoded>
): PageCursor<Position> => {
  const CursorJson = Schema.fromJsonString(Schema.Tuple([Schema.Literal(kind), Schema.Int, schema]))
  const encode = Schema.encodeSync(schema)
  const decode = Schema.decodeUnknownResult(CursorJson)
  const unreadable = () =>
    new CursorInvalid({ reason: "It is not a cursor of this list; take next_cursor from an answer." })
  const write: PageCursor<Position>["write"] = (filters, position) =>
    Buffer.from(JSON.stringify([kind, fingerprint(filters), encode(position)])).toString("base64url")
  const read: PageCursor<Position>["read"] = (filters, cursor) =>
    Base64Url.decodeString(cursor).pipe(
      Result.flatMap(decode),
      Result.mapError(unreadable),
      Result.flatMap(([, boundTo, position]) =>
        boundTo === fingerprint(filters)
          ? Result.succeed(position)
          : Result.fail(
              new CursorInvalid({ reason: "It belongs to other filters or another sort; start again without it." })
            )
      )
    )
  return {
    write,
    read,
    begin: (filters, cursor) => (cursor === undefined ? Result.succeed(null) : read(filters, cursor)),
    next: (filters, position) => (position === null ? {} : { next_cursor: write(filters, position) })
  }
}
