// All that a run stands on: a database of its own, the shop from inside, the goods and buyers, the service processes, a client.
import { randomBytes } from "node:crypto"
import { Client } from "./Client.ts"
import { type Inside, openInside } from "./Inside.ts"
import { type Environment, type Instances, startInstances } from "./Instances.ts"
import { type Market, openMarket } from "./Market.ts"
import { type RestartableDatabase, startDatabase } from "./RestartableDatabase.ts"

export interface Stage {
  readonly database: RestartableDatabase
  readonly environment: Environment
  readonly inside: Inside
  readonly market: Market
  readonly instances: Instances
  readonly client: Client
  readonly end: () => Promise<void>
}

export interface StagePlan {
  readonly instances: number
  /** What is committed survives a power cut, and takes as long as that takes. */
  readonly durable: boolean
  readonly quoteTtlSeconds: number
  readonly accounts: number
  readonly articles: number
}

const environmentFor = (url: string, quoteTtlSeconds: number): Environment => ({
  STORE: "postgres",
  DATABASE_URL: url,
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  // The same for all, so that their answers can be; clients go to whichever instance is there.
  PUBLIC_URL: "http://shop.example",
  PAYMENTS: "simulated",
  QUOTE_TTL: `${quoteTtlSeconds} seconds`,
  SWEEP_INTERVAL: "1 second",
  DAILY_ORDER_CAP: "0",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WEBHOOK_INSECURE_TARGETS: "true",
  LOG_LEVEL: "error",
  LOG_FORMAT: "json"
})

export const setUp = async (plan: StagePlan): Promise<Stage> => {
  const database = await startDatabase(plan.durable)
  const environment = environmentFor(database.url, plan.quoteTtlSeconds)
  const inside = openInside(environment, database.url)
  try {
    const market = await inside.run(openMarket(plan))
    const instances = await startInstances(plan.instances, environment)
    const client = new Client(instances)
    const end = async () => {
      client.close()
      await instances.end()
      await inside.close()
      await database.stop()
    }
    return { database, environment, inside, market, instances, client, end }
  } catch (error) {
    await inside.close()
    await database.stop()
    throw error
  }
}
