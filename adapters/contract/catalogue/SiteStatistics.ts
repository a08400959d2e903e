// What this service's own orders say of a site.
import { Schema } from "effect"
import type { Measured } from "#core/domain/catalogue/Catalogue.ts"
import { Count, measure } from "../schema/Amount.ts"

export const MeasuredRecord = Schema.Struct({
  orders: Count.annotate({ description: "Links ordered here and not cancelled." }),
  median_days_to_publish: Schema.NullOr(measure(0)).annotate({
    description: "From order to online, in days; `null` while none is online."
  }),
  still_live_ratio: Schema.NullOr(measure(0, 1)).annotate({
    description:
      "Of the links published here, the share since verified to be online: above 0 to 1. `null` while none has been looked at, which says nothing against the site."
  })
}).annotate({ identifier: "Measured", description: "What this service's own orders say of a site." })

export const showMeasured = (measured: Measured | null): typeof MeasuredRecord.Type | null =>
  measured === null
    ? null
    : {
        orders: measured.orders,
        median_days_to_publish: measured.medianDaysToPublish,
        still_live_ratio: measured.stillLiveRatio
      }
