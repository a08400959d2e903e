// How the database's system user reaches its files, by what it can enter and what root may do.
import { describe, expect, it } from "vitest"
import { decideFileAccess, type Facts } from "#adapters/postgres/embedded/FileAccess.ts"

const reachable: Facts = {
  uid: 101,
  userFault: null,
  programsBlockedBy: null,
  dataBlockedBy: null,
  mountFault: null,
  state: "/var/lib/service",
  stateFault: null
}
const hidden: Facts = { ...reachable, programsBlockedBy: "/srv/private", dataBlockedBy: "/srv/private/data" }
const unmountable: Facts = { ...hidden, mountFault: "unshare failed: Operation not permitted" }

describe("the database's system user", () => {
  it("uses the files where they are when it can enter their directories", () => {
    expect(decideFileAccess(reachable)).toEqual({ _tag: "Direct" })
  })

  it.each([
    ["the programs", { dataBlockedBy: null }],
    ["the data", { programsBlockedBy: null }],
    ["both", {}]
  ])("gets mounts when it cannot reach %s", (_what, difference) => {
    expect(decideFileAccess({ ...hidden, ...difference })).toEqual({ _tag: "Mounted" })
  })

  it("gets copies of only what it cannot reach when root may not mount", () => {
    const copies = { _tag: "Copied", state: "/var/lib/service", blockedBy: "/srv/private" }
    expect(decideFileAccess(unmountable)).toEqual({ ...copies, programs: true, data: true })
    expect(decideFileAccess({ ...unmountable, dataBlockedBy: null })).toEqual({
      ...copies,
      programs: true,
      data: false
    })
    const dataOnly = decideFileAccess({ ...unmountable, programsBlockedBy: null })
    expect(dataOnly).toEqual({ ...copies, programs: false, data: true, blockedBy: "/srv/private/data" })
  })

  it("is refused, with the directory that it cannot enter and the ways out, when root may neither mount nor copy", () => {
    const refused = decideFileAccess({ ...unmountable, stateFault: "read-only file system" })
    expect(refused).toEqual({
      _tag: "Refused",
      reason:
        "PostgreSQL refuses root, and user 101, which it runs as, cannot enter /srv/private. " +
        "Root may not mount here (unshare failed: Operation not permitted), and cannot keep copies in /var/lib/service (read-only file system). " +
        "Let other users enter the directory (chmod o+x '/srv/private'), or move the project and DATA_DIR out of it. " +
        "Run the service as an ordinary user, or set DATABASE_URL to a database elsewhere."
    })
  })

  it("is refused when root may not become that user, whatever can be reached", () => {
    const refused = decideFileAccess({ ...reachable, userFault: "setresuid failed: Operation not permitted" })
    expect(refused).toMatchObject({ _tag: "Refused", reason: expect.stringContaining("may not become user 101") })
  })
})
