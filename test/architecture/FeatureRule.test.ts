// The rules on features, on small projects made of strings.

import { describe, expect, it } from "vitest"
import { featureCircleRule, featureRule, featureSizeRule } from "./FeatureRule.ts"
import { describeViolation, parse } from "./Source.ts"

const project = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([file, text]) => parse(file, text))

const place = (file: string) =>
  project({ [file]: "" })
    .flatMap(featureRule)
    .map(describeViolation)

describe("featureRule", () => {
  it("accepts a file in the folder of a feature, and the files of the one idea beside the folders", () => {
    expect(place("core/domain/wallet/Wallet.ts")).toEqual([])
    expect(place("core/decisions/Books.ts")).toEqual([])
    expect(place("core/decisions/invariants/WalletInvariants.ts")).toEqual([])
    expect(place("adapters/web/pages/OrdersPages.ts")).toEqual([])
  })

  it("refuses a loose file and an unknown folder", () => {
    expect(place("core/domain/Wallet.ts")).toEqual(["core/domain/Wallet.ts:1 lies in no feature of core/domain"])
    expect(place("core/ports/PortErrors.ts")).toEqual(["core/ports/PortErrors.ts:1 lies in no feature of core/ports"])
    expect(place("core/usecases/money/CheckBalance.ts")).toEqual([
      "core/usecases/money/CheckBalance.ts:1 lies in no feature of core/usecases"
    ])
  })
})

describe("featureSizeRule", () => {
  it("refuses a folder of one file, but not in a ring that only follows the names", () => {
    const files = { "core/domain/wallet/Wallet.ts": "", "core/ports/wallet/Wallets.ts": "" }
    expect(featureSizeRule(project(files)).map(describeViolation)).toEqual([
      "core/domain/wallet:1 has 1 files; 2 to 25 are allowed"
    ])
  })
})

describe("featureCircleRule", () => {
  it("accepts arrows of one direction", () => {
    const files = {
      "core/domain/ordering/Quote.ts": 'import { Money } from "../pricing/Money.ts"',
      "core/domain/pricing/Money.ts": ""
    }
    expect(featureCircleRule(project(files))).toEqual([])
  })

  it("refuses two features that import each other, by types alone, too", () => {
    const files = {
      "core/domain/ordering/Quote.ts": 'import { Money } from "../pricing/Money.ts"',
      "core/domain/pricing/Money.ts": 'import type { Link } from "../ordering/Link.ts"'
    }
    expect(featureCircleRule(project(files)).map(describeViolation)).toEqual([
      "core/domain/ordering:1 is in a circle, or leads to one: it imports pricing",
      "core/domain/pricing:1 is in a circle, or leads to one: it imports ordering"
    ])
  })

  it("refuses a loose file and a feature that import each other", () => {
    const files = {
      "core/decisions/Apply.ts": 'import { moved } from "./ordering/MovedLink.ts"',
      "core/decisions/ordering/MovedLink.ts": 'import type { Change } from "../Change.ts"',
      "core/decisions/Change.ts": 'import { apply } from "./Apply.ts"'
    }
    expect(featureCircleRule(project(files)).map(({ file }) => file)).toEqual([
      "core/decisions/Apply.ts",
      "core/decisions/ordering",
      "core/decisions/Change.ts"
    ])
  })
})
