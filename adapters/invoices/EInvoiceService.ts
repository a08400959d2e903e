// Makes machine-readable invoices as the library's own service does, but compiles the schema that it judges them by once for each format: the
// library does so for each document, which takes most of a rendering.
import { createRequire } from "node:module"
import {
  FormatFactoryService,
  type Invoice,
  type InvoiceServiceOptions,
  invoiceSchema,
  ValidationService
} from "@e-invoice-eu/core"

type Validate = Parameters<ValidationService["validate"]>[1]

interface Compiler {
  readonly compile: (schema: object) => Validate
}

type MakeCompiler = new (options: {
  readonly strict: true
  readonly allErrors: true
  readonly useDefaults: true
}) => Compiler

const { resolve } = createRequire(import.meta.url)

/** The copy that the library uses. */
const Ajv: MakeCompiler = createRequire(resolve("@e-invoice-eu/core"))("ajv/dist/2019")

const ignore = (): void => {}
const logger = { log: ignore, warn: ignore, error: ignore }

const formats = new FormatFactoryService()
const validation = new ValidationService(logger)

const validators = new Map<string, Validate>()

const validatorFor = (format: string): Validate => {
  const known = validators.get(format)
  if (known !== undefined) return known
  const schema = structuredClone(invoiceSchema)
  formats.createFormatService(format, logger).patchSchema(schema)
  const validate = new Ajv({ strict: true, allErrors: true, useDefaults: true }).compile(schema)
  validators.set(format, validate)
  return validate
}

/** Text or bytes, by the format. Throws on an invoice that the schema refuses. */
export const generate = async (input: Invoice, options: InvoiceServiceOptions): Promise<string | Uint8Array> => {
  const format = formats.createFormatService(options.format, logger)
  const invoice = validation.validate("invoice data", validatorFor(options.format), structuredClone(input)) as Invoice // as the schema says
  format.fillInvoiceDefaults(invoice)
  return format.generate(invoice, { ...options, format: formats.normalizeFormat(options.format) })
}
