// What a run works on: a database, use cases over it, test data, service processes and a client.
import { randomBytes } from "node:crypto"
import { Client } from "./Client.ts"
import { type DirectAccess, openDirectAccess } from "./DirectAccess.ts"
import { type Environment, type Instances, startInstances } from "./Instances.ts"
import { type RestartableDatabase, startDatabase } from "./RestartableDatabase.ts"
import { createTestData, type TestData } from "./TestData.ts"

export interface Deployment {
  readonly database: RestartableDatabase
  readonly environment: Environment
  readonly direct: DirectAccess
  readonly testData: TestData
  readonly instances: Instances
  readonly client: Client
  readonly end: () => Promise<void>
}

export interface DeploymentPlan {
  readonly instances: number
  /** Commits wait for the disk, and so survive a power cut. */
  readonly durable: boolean
  readonly quoteTtlSeconds: number
  readonly accounts: number
  readonly articles: number
}

const environmentFor = (url: string, quoteTtlSeconds: number): Environment => ({
  STORE: "postgres",
  DATABASE_URL: url,
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  // The same for all instances, so that their answers are the same bytes.
  PUBLIC_URL: "http://shop.example",
  PAYMENTS: "simulated",
  SELLER_NAME: "Reef Media SARL",
  SELLER_ADDRESS: "1 quai du Port|13002 Marseille",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR40303265045",
  QUOTE_TTL: `${quoteTtlSeconds} seconds`,
  SWEEP_INTERVAL: "1 second",
  DAILY_ORDER_CAP: "0",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WEBHOOK_INSECURE_TARGETS: "true",
  LOG_LEVEL: "error",
  LOG_FORMAT: "json"
})

export const startDeployment = async (plan: DeploymentPlan): Promise<Deployment> => {
  const database = await startDatabase(plan.durable)
  const environment = environmentFor(database.url, plan.quoteTtlSeconds)
  const direct = openDirectAccess(environment, database.url)
  try {
    const testData = await direct.run(createTestData(plan))
    const instances = await startInstances(plan.instances, environment)
    const client = new Client(instances)
    const end = async () => {
      client.close()
      await instances.end()
      await direct.close()
      await database.stop()
    }
    return { database, environment, direct, testData, instances, client, end }
  } catch (error) {
    await direct.close()
    await database.stop()
    throw error
  }
}
