// The fields of a form, or of an address, as values: one, several, or left out.
import { Result, Schema } from "effect"
import { expect, it } from "vitest"
import { fieldsDecoder } from "#adapters/web/form/FormBody.ts"

const decode = fieldsDecoder(
  Schema.Struct({
    name: Schema.optionalKey(Schema.String),
    days: Schema.optionalKey(Schema.Array(Schema.Literals(["mon", "tue"])))
  })
)

it.each([
  ["days=mon&days=tue&name=x", { days: ["mon", "tue"], name: "x" }],
  ["days=mon", { days: ["mon"] }],
  ["days=&days=tue&name=+", { days: ["tue"] }],
  ["days=&other=1", {}]
])("reads %s", (sent, values) => {
  expect(decode(new URLSearchParams(sent))).toEqual(Result.succeed(values))
})

it("names the field that has a value too many, or another one", () => {
  const named = (sent: string) => Result.mapError(decode(new URLSearchParams(sent)), (messages) => [...messages.keys()])
  expect(named("name=x&name=y")).toEqual(Result.fail(["name"]))
  expect(named("days=mon&days=sun")).toEqual(Result.fail(["days"]))
})
