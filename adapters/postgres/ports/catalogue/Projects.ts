// AI-visibility projects, and the rows that their plans are computed from.
import { Effect, Schema } from "effect"
import { foldText } from "#core/domain/catalogue/Catalogue.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { overDatabase } from "../../database/Database.ts"
import { bigintArray, first, query, queryValues } from "../../database/Queries.ts"
import { opportunities, projects, sites } from "../../rows/CatalogueRows.ts"
import { Integer } from "../../rows/Table.ts"
import { linkedSites } from "./LinkedSites.ts"

/** How many of a niche's strongest sites a plan may choose from: three times the lines that it can have. */
const CANDIDATES = 60

const covered = `EXISTS (
  SELECT FROM links l WHERE l.opportunity_id = o.opportunity_id AND l.mode = 'live' AND l.status <> 'cancelled'
)`

const summariesOf = `
SELECT ${projects.list("p")} AS project, c.total AS "opportunitiesTotal", c.open AS "opportunitiesOpen"
FROM projects p CROSS JOIN LATERAL (
  SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT ${covered})::int AS open
  FROM opportunities o WHERE o.project_id = p.project_id
) c
WHERE p.account_id = $1 ORDER BY p.project_id`

const withOpen = `
SELECT ${projects.list("p")} AS project, (
  SELECT coalesce(json_agg(${opportunities.list("o")} ORDER BY o.position, o.opportunity_id), '[]')
  FROM opportunities o WHERE o.project_id = p.project_id AND NOT ${covered}
) AS open
FROM projects p WHERE p.project_id = $1`

const candidates = `
SELECT c.value FROM unnest($1::text[]) AS n (niche_folded) CROSS JOIN LATERAL (
  SELECT ${sites.list("s")} AS value FROM sites s
  WHERE s.open AND s.niche_folded = n.niche_folded AND s.language_folded = $2 AND s.site_id <> ALL ($3::bigint[])
  ORDER BY s.tf DESC, s.traffic_monthly DESC, s.site_id LIMIT ${CANDIDATES}
) c`

const Summary = Schema.Struct({
  project: projects.schema,
  opportunitiesTotal: Integer,
  opportunitiesOpen: Integer
})
const WithOpen = Schema.Struct({ project: projects.schema, open: Schema.Array(opportunities.schema) })

export const layer = overDatabase(Projects, ({ search }) => {
  const withOpenOpportunities = first(query(search, WithOpen, withOpen))
  const linked = linkedSites(search)
  const strongest = queryValues(search, sites.schema, candidates)

  return Projects.of({
    ofAccount: query(search, Summary, summariesOf),
    planMaterial: Effect.fnUntraced(function* (projectId) {
      const found = yield* withOpenOpportunities(projectId)
      if (found === null) return null
      const { project, open } = found
      const linking = yield* linked(project.accountId, "live", project.domain)
      const niches = [...new Set(open.map(({ niche }) => foldText(niche)))]
      const sitesOfNiches = yield* strongest(niches, project.language.toLowerCase(), bigintArray(linking))
      return { project, open, candidates: sitesOfNiches, linkingSiteIds: new Set(linking) }
    })
  })
})
