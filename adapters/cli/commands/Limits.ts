// The limits of a key or a connection as a command changes and shows them.
import { Flag } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { Key, SpendLimits } from "#adapters/operator/records/AccountRecords.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { CommandFailed } from "../CommandFailed.ts"

interface Limits {
  readonly limits: typeof SpendLimits.Type
}

/** What a command that changes limits asks for beside them, and what it sends: with `--unlimited` all of them. */
export const changingLimits = {
  flags: {
    unlimited: Flag.Boolean("unlimited").pipe(
      Flag.withDescription("Remove the limits that are not given"),
      Flag.withDefault(false)
    )
  },
  payload: ({ limits }: Limits, { unlimited }: { readonly unlimited: boolean }): Limits | CommandFailed => {
    if (unlimited) return { limits: { ...noLimits, ...limits } }
    return Object.keys(limits).length > 0
      ? { limits }
      : new CommandFailed({ sentence: "Give the limits to change, or --unlimited." })
  }
}

export const limitsText = ({ limits }: Pick<Key, "limits">): string => {
  const { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents, holdLookAlikes } = limits
  const always = limits.alwaysAllow.map(({ domain, upToCents }) => `${domain} up to ${euros(upToCents)} EUR`)
  return [
    ...(maxOrderCents === null ? [] : [`${euros(maxOrderCents)} EUR an order`]),
    ...(maxDayCents === null ? [] : [`${euros(maxDayCents)} EUR a day`]),
    ...(dailyOrderCap === null ? [] : [`${counted(dailyOrderCap, "order")} a day`]),
    ...(allowedDomains === null ? [] : [`only ${allowedDomains.join(" ")}`]),
    ...(approveAboveCents === null ? [] : [`approval above ${euros(approveAboveCents)} EUR`]),
    ...(holdLookAlikes ? ["approval of look-alikes"] : []),
    ...(always.length === 0 ? [] : [`always ${always.join(" and ")}`])
  ].join(", ")
}
