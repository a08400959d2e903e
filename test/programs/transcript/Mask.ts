// Replaces what differs between two runs of a transcript: ids, times, tokens, cursors, signatures and ports. Equal values get equal
// names, so that a wrong id still shows.

const MASKS: ReadonlyArray<readonly [pattern: RegExp, name: (match: string, names: Names) => string]> = [
  [
    /\b(?:q|ord|lnk|hld|wh|evt|dlv|led|prj|opp|key|acc|aud)_(?:test_)?[0-9a-z]{20,}/g,
    (id, names) => names.of(prefix(id), id)
  ],
  [/\breq_[0-9A-Za-z-]+/g, () => "<request id>"],
  [/whsec_[\w+/=-]+/g, () => "<webhook secret>"],
  [/\bsn_(?:live|test)_[A-Za-z0-9]{38}\b/g, (key, names) => names.of("api key", key)],
  [/\/pay\/[0-9a-z]{20,}/g, (path, names) => `/pay/${names.of("payment token", path)}`],
  [/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?/g, () => "<time>"],
  [/\d{1,2} [A-Z][a-z]+ \d{4} at \d{2}:\d{2} UTC/g, () => "<time>"],
  [
    /t=\d{10}(?:,v1=[0-9a-f]{64})+/g,
    (signature) => signature.replace(/\d{10}/, "<unix>").replace(/[0-9a-f]{64}/g, "<hmac>")
  ],
  [/\\?"next_cursor\\?":\\?"[^"\\]+/g, (member) => member.replace(/[^"\\]+$/, "<cursor>")],
  [/"(?:\w+Ms|duration_ms|retry_after\w*)":\d+/g, (member) => member.replace(/\d+$/, "<number>")]
]

const prefix = (id: string): string => /^[a-z]+_(?:test_)?/.exec(id)?.[0] ?? ""

class Names {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  of(kind: string, value: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `<${kind} ${count}>`
    this.#names.set(value, name)
    return name
  }
}

/** `ports` are numbers of local servers and what to call them. */
export const makeMask = () => {
  const names = new Names()
  return (text: string, ports: ReadonlyMap<string, string>): string => {
    let masked = text
    for (const [port, name] of ports) masked = masked.replaceAll(`:${port}`, `:<${name}>`)
    for (const [pattern, name] of MASKS) masked = masked.replace(pattern, (match) => name(match, names))
    return masked
  }
}
