// The eleven tools, in the order in which they are listed.
import { aboutTool, ORDERING_TEXTS } from "./AboutTool.ts"
import { getSite, listSiteArticles, searchSites } from "./CatalogueTools.ts"
import { checkBalance, createOrder, getOrderStatus, getQuoteStatus, listOrders } from "./OrderTools.ts"
import type { Tool } from "./Tool.ts"
import { getAiVisibilityPlan, listAiVisibilityProjects } from "./VisibilityTools.ts"

/** All but `about`, which names them. */
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

const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]))

export const findTool = (name: string): Tool | undefined => byName.get(name)
