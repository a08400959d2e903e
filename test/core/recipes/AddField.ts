// "Add a field": an optional `country` of a site, by which the catalogue is filtered.
import { after, before, create, instead } from "./Edit.ts"
import { compiler, type Recipe, test } from "./Recipe.ts"

const CONTRACT = "adapters/contract/catalogue/Catalog.ts"
const SEARCH = "adapters/contract/catalogue/CatalogSearch.ts"
const RECORDS = "adapters/operator/records/CatalogueRecords.ts"
const FORM = "adapters/web/shop/CatalogueFilters.ts"
const TABLE = "adapters/postgres/schema/tables/catalogue.sql"
const SUITE = "test/core/ports/catalogue/CatalogueSearch.suite.ts"

/** The sentence with which PostgreSQL, and so the service at its start, names the column. */
const NO_COLUMN = /column .*\bcountry\b.* does not exist/

export const addField: Recipe = {
  title: "add a field",
  beginning: [
    after(
      "core/domain/catalogue/Catalogue.ts",
      "  language: Schema.String,",
      "  /** ISO 3166-1 code of the country that most visitors come from. */",
      "  country: Schema.optionalKey(Schema.String),"
    ),
    after("core/domain/catalogue/SiteFilters.ts", 'languages: anyOf("language")', '  countries: anyOf("country"),')
  ],
  steps: [
    [
      {
        what: "the operator's row",
        edits: [after(RECORDS, "  nicheLabel: Label,", "  country: Schema.optionalKey(line(2, 2)),")],
        told: compiler(RECORDS, /'country'/)
      },
      {
        what: "what a query asks of the filter",
        edits: [
          after(SEARCH, "  languages: ({ language }) =>", "  countries: ({ country }) => country && asSet(country),")
        ],
        told: compiler(SEARCH, /'countries'/)
      },
      {
        what: "values for the conformance suite",
        edits: [after(SUITE, "  linkRel: some(...LINK_RELS),", '  countries: someOf("FR", "IT"),')],
        told: compiler(SUITE, /'countries'/)
      }
    ],
    [
      {
        what: "the query's member",
        edits: [
          before(
            CONTRACT,
            "  link_rel: Schema.optionalKey(",
            '  country: Schema.optionalKey(queryCodes("Only sites of one of these countries.", text(2, 2))),'
          )
        ],
        told: compiler(SEARCH, /'country'/)
      }
    ],
    [
      {
        what: "the Shop's control",
        edits: [before(FORM, '    sort: ["short"', '    country: short("country", "Country", { maxLength: 2 }),')],
        told: compiler(FORM, /'country'/)
      }
    ],
    [
      {
        what: "the site on the wire",
        edits: [
          after(CONTRACT, "  niche_label: NicheLabel,", "  country: Schema.optionalKey(Schema.String),"),
          after(
            CONTRACT,
            "  niche_label: site.nicheLabel,",
            "  ...(site.country === undefined ? {} : { country: site.country }),"
          )
        ],
        told: test(
          "test/adapters/contract/catalogue/Catalog.test.ts",
          "shows every field",
          /FullSite does not show \(adapters\/contract\/catalogue\/Catalog\.ts\).*"country"/s
        )
      },
      {
        what: "sites with the field in the conformance suite",
        edits: [
          after(
            SUITE,
            "      linkRel: LINK_RELS[",
            '      ...(index % 5 === 0 ? { country: index % 2 === 0 ? "FR" : "IT" } : {}),'
          )
        ],
        told: test(
          "test/core/ports/memory.test.ts",
          "returns the pages that",
          /do not tell the sites of this test apart.*"countries"/s
        )
      },
      {
        what: "the column in the table's file",
        edits: [
          instead(
            TABLE,
            "  turnaround_days bigint",
            "  turnaround_days bigint CHECK (turnaround_days >= 0),",
            "  country text"
          ),
          before(
            TABLE,
            "COMMENT ON COLUMN sites.tf IS",
            "COMMENT ON COLUMN sites.country IS 'ISO 3166-1; null if unknown.';"
          )
        ],
        told: test("test/adapters/postgres/rows/EveryField.pg.test.ts", "every field of sites", NO_COLUMN)
      }
    ],
    [
      {
        what: "the step for databases with rows",
        edits: [
          create("adapters/postgres/schema/steps/900_site_country.sql", "ALTER TABLE sites ADD COLUMN country text;")
        ],
        told: test("test/adapters/postgres/schema/SameSchema.pg.test.ts", "a new database equals", NO_COLUMN)
      }
    ]
  ]
}
