// The scope of a list, and what its answer says besides the entries: what they add up to, and what a default list leaves out, with the way
// to see that.
import { Schema } from "effect"
import { MAX_COUNTED, ListScope as Scope } from "#core/domain/access/ListScope.ts"
import { counted } from "../shared/Counted.ts"
import { Count, Eur, eurOfCents } from "./Amount.ts"

export const ListScope = Scope.annotate({
  description: "`account`: also what other keys, connections and members of the account placed. `key` unless told."
})

/** What lists with a scope list. */
type Entry = "quote" | "order" | "link" | "event"

const MOST = MAX_COUNTED.toLocaleString("en")

/** Members of the answer of a list with a scope. */
export const leftOutFields = <const Name extends Entry>(entry: Name) => {
  const plural = `${entry}s` as const
  // The computed name is the plural, which TypeScript widens to any text.
  const counts = { [plural]: Count.annotate({ description: "How many." }) } as {
    readonly [Plural in `${Name}s`]: typeof Count
  }
  return {
    other_credentials: Schema.optionalKey(
      Schema.Struct(counts).annotate({
        description: `How many ${plural} with the same filters other credentials of the account have; ${MOST} stands for more, too. Absent when nothing is left out.`
      })
    ),
    hint: Schema.optionalKey(
      Schema.String.annotate({
        description:
          "What the list leaves out, or does not add up, and what to send instead. Absent where it does neither."
      })
    )
  }
}

/** A member of the answer of a list of what was bought. */
export const totalsField = (entry: "order" | "link") => ({
  totals: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        count: Count.annotate({ description: "How many match." }),
        total_eur: Eur.annotate({ description: "What they cost after discount, euros." }),
        credited_eur: Eur.annotate({ description: "What came back as prepaid credit for cancelled links, euros." }),
        net_eur: Eur.annotate({ description: "`total_eur` less `credited_eur`, euros." })
      })
    ).annotate({
      description: `Over all ${entry}s that match, on the first page alone; \`null\` above ${MOST} of them.`
    })
  )
})

export interface Totals {
  readonly count: number
  readonly totalCents: number
  readonly creditedCents: number
}

const showTotals = ({ count, totalCents, creditedCents }: Totals) => ({
  count,
  total_eur: eurOfCents(totalCents),
  credited_eur: eurOfCents(creditedCents),
  net_eur: eurOfCents(totalCents - creditedCents)
})

const leftOutHint = (entry: Entry, matching: number): string =>
  matching === 1
    ? `1 more ${entry} that matches is of another credential of this account: scope=account lists it, too.`
    : `${matching < MAX_COUNTED ? counted(matching, `more ${entry}`) : `${MOST} or more ${entry}s`} that match are of other credentials of this account: scope=account lists them, too.`

const totalsHint = (entry: Entry): string =>
  `More than ${MOST} ${entry}s match, which are not added up: narrow the list by created_from and created_to.`

/** `leftOutCount`: at most `MAX_COUNTED`. `totals`: `null` for too many, absent where no totals are shown. */
export const showListSummary = <const Name extends Entry>(
  entry: Name,
  { leftOutCount, totals }: { readonly leftOutCount: number; readonly totals?: Totals | null }
) => {
  const hints = [
    ...(leftOutCount === 0 ? [] : [leftOutHint(entry, leftOutCount)]),
    ...(totals === null ? [totalsHint(entry)] : [])
  ]
  // The computed name is the plural, which TypeScript widens to any text.
  const others = { [`${entry}s`]: leftOutCount } as { readonly [Plural in `${Name}s`]: number }
  return {
    ...(totals === undefined ? {} : { totals: totals && showTotals(totals) }),
    ...(leftOutCount === 0 ? {} : { other_credentials: others }),
    ...(hints.length === 0 ? {} : { hint: hints.join(" ") })
  }
}
