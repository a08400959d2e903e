// What stands for the ids of what the authorization server issued. Apart from the library, which takes a second to load.
import { hash } from "node:crypto"

const BY_HASH = "sha256:"

export const hashOf = (id: string): string => hash("sha256", id, "hex")

/** Stands for the id of a grant, which is stored nowhere; of a reference, itself. */
export const grantReference = (grantId: string): string =>
  grantId.startsWith(BY_HASH) ? grantId : `${BY_HASH}${hashOf(grantId)}`

export const grantHashOf = (grantId: string): string => grantReference(grantId).slice(BY_HASH.length)
