// A passkey without a device: what a browser would answer to the options of this service, as WebAuthn defines it, with a key on P-256.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest()

/** CBOR of small items: maps of these alone, texts, byte strings and small integers. */
const head = (major: number, length: number): Buffer =>
  Buffer.from(
    length < 24
      ? [(major << 5) | length]
      : length < 256
        ? [(major << 5) | 24, length]
        : [(major << 5) | 25, length >> 8, length & 0xff]
  )
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (...entries: ReadonlyArray<readonly [key: Buffer, value: Buffer]>): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

interface Options {
  readonly challenge: string
}

export interface SoftwarePasskey {
  /** The response to the options for a new passkey, as JSON. */
  readonly register: (options: Options) => string
  /** The response to the options for a sign-in or a confirmation, as JSON. */
  readonly assert: (options: Options) => string
}

/** `origin`: of the page that would ask; its host is the relying party. */
export const softwarePasskey = (origin: string): SoftwarePasskey => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const id = randomBytes(32)
  const { x = "", y = "" } = publicKey.export({ format: "jwk" })
  const coordinate = (value: string) => bytes(Buffer.from(value, "base64url"))
  const key = map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), coordinate(x)],
    [integer(-3), coordinate(y)]
  )
  const authenticatorData = (flags: number, more: Uint8Array = new Uint8Array()): Buffer =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), Buffer.alloc(4), more])
  const clientData = (type: string, { challenge }: Options): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: Readonly<Record<string, Uint8Array>>): string =>
    JSON.stringify({
      ...{ id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" },
      clientExtensionResults: {},
      response: Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, Buffer.from(value).toString("base64url")])
      )
    })
  return {
    register: (options) => {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authenticatorData(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, credential)
      const attestationObject = map(
        [text("fmt"), text("none")],
        [text("attStmt"), map()],
        [text("authData"), bytes(data)]
      )
      return answer({ clientDataJSON: clientData("webauthn.create", options), attestationObject })
    },
    assert: (options) => {
      const data = authenticatorData(USER_PRESENT | USER_VERIFIED)
      const clientDataJSON = clientData("webauthn.get", options)
      const signature = sign("sha256", Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      return answer({ clientDataJSON, authenticatorData: data, signature })
    }
  }
}
