// Rows of what the authorization server issued.
import { Schema } from "effect"
import { Scope } from "#core/domain/ApiKey.ts"
import type { OAuthArtifact } from "#core/domain/OAuthArtifact.ts"
import { Integer, integerOrNull, Text, table, textOrNull } from "./Table.ts"

export const artifacts = table({
  hash: Text,
  kind: Schema.Literals(["Client", "Interaction", "Grant", "AuthorizationCode", "AccessToken", "RefreshToken"]),
  grantHash: textOrNull,
  clientHash: textOrNull,
  payload: Text,
  createdAtMs: Integer,
  expiresAtMs: Integer,
  consumedAtMs: integerOrNull,
  unused: Schema.Boolean,
  connectionId: textOrNull,
  scopes: Schema.NullOr(Schema.Array(Scope)),
  resource: Schema.NullOr(Schema.Literals(["service", "catalog"]))
})

type ArtifactRow = (typeof artifacts)["schema"]["Type"]

export const artifactOf = ({ connectionId, scopes, resource, ...artifact }: ArtifactRow): OAuthArtifact => ({
  ...artifact,
  access: connectionId === null || scopes === null || resource === null ? null : { connectionId, scopes, resource }
})

export const artifactRow = ({ access, ...artifact }: OAuthArtifact): string =>
  JSON.stringify(artifacts.row({ ...artifact, ...access }))
