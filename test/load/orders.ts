// Orders that a human is to pay: each is priced, written with its idempotency key, cap and reservation, and given its payment
// link: two transactions.
import { randomUUID } from "node:crypto"
import { besideBare, keyOf } from "./BesideBare.ts"

const body = JSON.stringify({
  items: [
    {
      site_id: 2,
      target_url: "https://willow-and-spade.example/spring",
      anchor_text: "spring garden tools",
      anchor_type: "partial"
    }
  ]
})

export const load = besideBare("orders", 201, () => ({
  method: "POST",
  path: "/api/v1/agent/orders",
  headers: {
    authorization: `Bearer ${keyOf("demo no-credit key")}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID()
  },
  body
}))
