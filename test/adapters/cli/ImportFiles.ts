// Texts of import files.

export const SITE_COLUMNS = "id,domain,niche_label,language,shelf,tf,cf,rd,moz_da,ranked_keywords,traffic_monthly"

const SHELVES = ["Plancton", "Corail", "Nautilus"]

/** Sites with consecutive ids from `first`, on the three shelves in turn. */
export const sitesCsv = (first: number, count: number): string =>
  [
    SITE_COLUMNS,
    ...Array.from({ length: count }, (_, at) => {
      const id = first + at
      return `${id},site-${id}.example,"Tea, and cake",en,${SHELVES[at % SHELVES.length]},${id % 100},10,90,14,300,4000`
    })
  ].join("\n")

export const articlesCsv = (rows: ReadonlyArray<readonly [articleId: number, siteId: number]>): string =>
  [
    "article_id,site_id,title,url,published_at,price_eur,keywords",
    ...rows.map(
      ([articleId, siteId]) =>
        `${articleId},${siteId},Tea for two,https://site-${siteId}.example/tea,2026-01-31,12.50,green tea:4.5:900|tea: how:8:120`
    )
  ].join("\n")

export const projectsCsv = (accountId: string, projectId: string): string =>
  `project_id,account_id,name,domain,language\n${projectId},${accountId},Teapots,teapots.example,en\n`

export const opportunitiesJson = (projectId: string, opportunityId: string): string =>
  JSON.stringify([
    {
      opportunity_id: opportunityId,
      project_id: projectId,
      prompt: "Where do I buy a good teapot?",
      engine: "ChatGPT",
      niche: "tea, and cake",
      target_url: "https://teapots.example/pots",
      anchor_text: "teapots that pour",
      position: 0
    }
  ])
