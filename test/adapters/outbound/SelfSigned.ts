// Certificates for the TLS servers of tests, created for each run, so that the repository holds no private key and no certificate
// expires. As much of X.509 (RFC 5280) in DER as that needs.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

const tlv = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.from([tag, ...size]), content])
}

const SEQUENCE = 0x30
const sequence = (...parts: ReadonlyArray<Uint8Array>) => tlv(SEQUENCE, ...parts)
const set = (...parts: ReadonlyArray<Uint8Array>) => tlv(0x31, ...parts)
const integer = (value: number) => tlv(0x02, Uint8Array.of(value))
const bits = (value: Uint8Array) => tlv(0x03, Uint8Array.of(0), value)
const octets = (value: Uint8Array) => tlv(0x04, value)
const text = (value: string) => tlv(0x0c, Buffer.from(value))
const time = (date: Date) => tlv(0x17, Buffer.from(date.toISOString().replace(/^..|[-:T]|\..*(?=Z)/g, "")))
const oid = (...bytes: ReadonlyArray<number>) => tlv(0x06, Uint8Array.from(bytes))

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const commonName = oid(0x55, 0x04, 0x03)
const subjectAltName = oid(0x55, 0x1d, 0x11)
const basicConstraints = oid(0x55, 0x1d, 0x13)

const DAY_MS = 86_400_000

interface Identity {
  readonly cert: string
  readonly key: string
}

const nameOf = (whom: string) => sequence(set(sequence(commonName, text(whom))))

interface Wish {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly extensions: ReadonlyArray<Uint8Array>
}

/** A certificate in PEM, valid for a day around now. */
const certificate = ({ subject, issuer, publicKey, signer, extensions }: Wish): string => {
  const body = sequence(
    tlv(0xa0, integer(2)), // version 3
    tlv(0x02, Uint8Array.of(1, ...randomBytes(8))), // serial number
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + DAY_MS))),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(...extensions))
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign("sha256", body, signer)))
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const keyPair = () => generateKeyPairSync("ec", { namedCurve: "P-256" })

const pem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString()

const forHost = (host: string) => sequence(subjectAltName, octets(sequence(tlv(0x82, Buffer.from(host)))))

/** A self-signed certificate for one DNS name, and its key, in PEM. */
export const selfSigned = (host: string): Identity => {
  const { privateKey, publicKey } = keyPair()
  const cert = certificate({
    subject: host,
    issuer: host,
    publicKey,
    signer: privateKey,
    extensions: [forHost(host)]
  })
  return { cert, key: pem(privateKey) }
}

export interface Authority {
  /** The authority's own certificate in PEM, for clients to trust. */
  readonly ca: string
  readonly issue: (host: string) => Identity
}

/** A certificate authority for tests. */
export const authority = (): Authority => {
  const { privateKey: signer, publicKey } = keyPair()
  const issuer = "A test's own authority"
  const mayIssue = sequence(basicConstraints, octets(sequence(tlv(0x01, Uint8Array.of(0xff)))))
  return {
    ca: certificate({ subject: issuer, issuer, publicKey, signer, extensions: [mayIssue] }),
    issue: (host) => {
      const { privateKey, publicKey } = keyPair()
      const cert = certificate({ subject: host, issuer, publicKey, signer, extensions: [forHost(host)] })
      return { cert, key: pem(privateKey) }
    }
  }
}
