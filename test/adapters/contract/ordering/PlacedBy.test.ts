import { describe, expect, it } from "vitest"
import { showPlacedBy } from "#adapters/contract/schema/PlacedBy.ts"
import { placedBy } from "#core/domain/access/PlacedBy.ts"
import { KeyId, MemberId } from "#core/domain/shared/Ids.ts"

const shop = KeyId.make("web_rich")
const memberId = MemberId.make("mem_ada")

describe("who placed a quote or an order", () => {
  it("is its key or connection, by the name that the account gave it", () => {
    for (const [id, kind] of [
      ["key_1", "key"],
      ["con_1", "connection"]
    ] as const) {
      const by = { id: KeyId.make(id), kind, label: "Chat" }
      expect(placedBy({ keyId: by.id }, "Chat")).toEqual(by)
      expect(showPlacedBy(by)).toEqual(by)
    }
  })

  it("is a member in the Shop, who is known since it is kept, and never named to agents", () => {
    const label = "a member of the account"
    expect(showPlacedBy(placedBy({ keyId: shop, memberId }, "web"))).toEqual({ id: memberId, kind: "member", label })
    expect(showPlacedBy(placedBy({ keyId: shop }, "web"))).toEqual({ id: null, kind: "member", label })
  })
})
