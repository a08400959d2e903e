// The tools in the order in which they are listed: the eleven of a purchase, and all of them.
import { aboutTool, FULL_TEXTS, ORDERING_TEXTS } from "./AboutTool.ts"
import { getSite, listSiteArticles, searchSites } from "./CatalogueTools.ts"
import { furtherTools } from "./FullTools.ts"
import { checkBalance, createOrder, getOrderStatus, getQuoteStatus, listOrders } from "./OrderTools.ts"
import type { Tool } from "./Tool.ts"
import { getAiVisibilityPlan, listAiVisibilityProjects } from "./VisibilityTools.ts"

/** The eleven but `about`, which names them. */
export const apiTools: ReadonlyArray<Tool> = [
  searchSites,
  getSite,
  listSiteArticles,
  checkBalance,
  createOrder,
  getQuoteStatus,
  listOrders,
  getOrderStatus,
  listAiVisibilityProjects,
  getAiVisibilityPlan
]

export const tools: ReadonlyArray<Tool> = [aboutTool(apiTools, ORDERING_TEXTS), ...apiTools]

const allApiTools = [...apiTools, ...furtherTools]

export const fullTools: ReadonlyArray<Tool> = [aboutTool(allApiTools, FULL_TEXTS), ...allApiTools]

const byName: ReadonlyMap<string, Tool> = new Map([...furtherTools, ...tools].map((tool) => [tool.name, tool]))

export const findTool = (name: string): Tool | undefined => byName.get(name)
