// Loaded before a program (`--import`): ends an older Node with a sentence. It is JavaScript because such a Node cannot read TypeScript.

/** What `engines` in package.json says. */
const [leastMajor, leastMinor] = [22, 19]

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `This needs Node ${leastMajor}.${leastMinor} or later, and runs on ${process.versions.node}: install a newer one, or run "npm ci --include=dev", which brings one.`
  )
  process.exit(1)
}
