// A certificate for a test's own TLS server, made afresh for each run, so that no private key lies in the repository and none
// expires. As much of X.509 (RFC 5280) in DER as that takes, and no more.
import { generateKeyPairSync, sign } from "node:crypto"

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

const DAY_MS = 86_400_000

/** For one DNS name, valid for a day around now. Both in PEM. */
export const selfSigned = (host: string): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(set(sequence(commonName, text(host))))
  const altNames = sequence(tlv(0x82, Buffer.from(host)))
  const body = sequence(
    tlv(0xa0, integer(2)), // version 3
    integer(1), // serial number
    ecdsaWithSha256,
    name,
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + DAY_MS))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(sequence(subjectAltName, octets(altNames))))
  )
  const der = sequence(body, ecdsaWithSha256, bits(sign("sha256", body, privateKey)))
  const lines = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
