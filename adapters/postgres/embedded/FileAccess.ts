// Decides how the database's system user reaches its programs and its data. PostgreSQL refuses root, and the user it runs as
// instead may be unable to enter the directories that hold them, as in a home of mode 0700.

export interface Facts {
  /** The id of the user that the database runs as. */
  readonly uid: number
  /** Why root may not become this user; null where it may. */
  readonly userFault: string | null
  /** The first directory on the way to the programs that this user cannot enter. */
  readonly programsBlockedBy: string | null
  /** The first directory on the way to the data that this user cannot enter. */
  readonly dataBlockedBy: string | null
  /** Why root may not mount here; null where it may. */
  readonly mountFault: string | null
  /** The directory for copies, below the system's state directory. */
  readonly state: string
  /** Why it cannot hold them; null where it can. */
  readonly stateFault: string | null
}

export type FileAccess =
  /** At their own paths. */
  | { readonly _tag: "Direct" }
  /** Bind-mounted at other paths, in a mount namespace of the database's own. */
  | { readonly _tag: "Mounted" }
  /** Programs or data that cannot be reached are kept in `state`. */
  | {
      readonly _tag: "Copied"
      readonly programs: boolean
      readonly data: boolean
      readonly state: string
      readonly blockedBy: string
    }
  | { readonly _tag: "Refused"; readonly reason: string }

const WAYS_OUT = "Run the service as an ordinary user, or set DATABASE_URL to a database elsewhere."

export const decideFileAccess = (facts: Facts): FileAccess => {
  const { uid, userFault, programsBlockedBy, dataBlockedBy, mountFault, state, stateFault } = facts
  if (userFault !== null) {
    const reason = `PostgreSQL refuses root, and root may not become user ${uid} here (${userFault}). ${WAYS_OUT}`
    return { _tag: "Refused", reason }
  }
  const blockedBy = programsBlockedBy ?? dataBlockedBy
  if (blockedBy === null) return { _tag: "Direct" }
  if (mountFault === null) return { _tag: "Mounted" }
  if (stateFault === null) {
    return { _tag: "Copied", programs: programsBlockedBy !== null, data: dataBlockedBy !== null, state, blockedBy }
  }
  const reason =
    `PostgreSQL refuses root, and user ${uid}, which it runs as, cannot enter ${blockedBy}. ` +
    `Root may not mount here (${mountFault}), and cannot keep copies in ${state} (${stateFault}). ` +
    `Let other users enter the directory (chmod o+x '${blockedBy}'), or move the project and DATA_DIR out of it. ${WAYS_OUT}`
  return { _tag: "Refused", reason }
}
