// Cursors: where a page ends, and for which question. Opaque to callers, and refused under any other question, because a
// position means nothing in another order. No secret: a forged one only asks for another page of what its caller may see.
import { Hash, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { canonicalJson, type Json } from "#core/domain/CanonicalJson.ts"
import { CursorInvalid } from "#core/domain/Refusal.ts"

export interface PageCursor<Position> {
  readonly write: (question: Json, position: Position) => string
  readonly read: (question: Json, cursor: string) => Result.Result<Position, CursorInvalid>
}

const fingerprint = (question: Json): number => Hash.string(canonicalJson(question))

/** `kind` keeps the cursors of different lists apart. */
export const pageCursor = <Position, Encoded>(
  kind: string,
  schema: Schema.Codec<Position, Encoded>
): PageCursor<Position> => {
  const Envelope = Schema.fromJsonString(Schema.Tuple([Schema.Literal(kind), Schema.Int, schema]))
  const encode = Schema.encodeSync(schema)
  const decode = Schema.decodeUnknownResult(Envelope)
  const unreadable = () =>
    new CursorInvalid({ reason: "It is not a cursor of this list; take next_cursor from an answer." })
  return {
    write: (question, position) =>
      Buffer.from(JSON.stringify([kind, fingerprint(question), encode(position)])).toString("base64url"),
    read: (question, cursor) =>
      Base64Url.decodeString(cursor).pipe(
        Result.flatMap(decode),
        Result.mapError(unreadable),
        Result.flatMap(([, asked, position]) =>
          asked === fingerprint(question)
            ? Result.succeed(position)
            : Result.fail(
                new CursorInvalid({ reason: "It belongs to other filters or another sort; start again without it." })
              )
        )
      )
  }
}
