// Who placed a quote or an order: a key or a connection of its account, or one of its members in the Shop.

import type { KeyId, MemberId } from "../shared/Ids.ts"
import { credentialKind } from "./CredentialKind.ts"

/** A quote or an order. */
export interface Placed {
  readonly keyId: KeyId
  readonly memberId?: MemberId
}

export type PlacedBy =
  | { readonly kind: "key" | "connection"; readonly id: KeyId; readonly label: string }
  /** `null`: it was placed before the member was kept. */
  | { readonly kind: "member"; readonly id: MemberId | null }

/** `label`: what the account calls the credential. */
export const placedBy = ({ keyId, memberId }: Placed, label: string): PlacedBy => {
  const kind = credentialKind(keyId)
  return kind === "web" ? { kind: "member", id: memberId ?? null } : { kind, id: keyId, label }
}
