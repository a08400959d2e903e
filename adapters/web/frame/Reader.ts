// In which time zone a member reads times, as the foot of every page says.
import type { Reader } from "#adapters/html/Times.ts"
import { UTC } from "#adapters/html/TimeZones.ts"
import type { Member } from "#core/domain/members/Member.ts"

export const zoneOf = ({ timeZone = UTC }: Pick<Member, "timeZone">): string => timeZone

export const readerOf = (member: Member, nowMs: number): Reader => ({ zone: zoneOf(member), nowMs })
