// The first page of a filtered and sorted catalogue.
import { besideBare, keyOf } from "./BesideBare.ts"

export const load = besideBare("catalogue", 200, () => ({
  method: "GET",
  path: "/api/v1/agent/catalog?shelf=Corail&sort=-tf",
  headers: { authorization: `Bearer ${keyOf("demo live key")}` }
}))
