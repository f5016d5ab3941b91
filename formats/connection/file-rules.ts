// The rules of files, streams, interfaces and catalogs of tables.

import { newTable } from '../name/table.ts'
import { duckdbText, pythonText, shellWord } from './quote.ts'
import type { PlatformRules, SnippetRule, Target } from './target.ts'
import { inOneLine } from './rule-parts.ts'
import { SPARK_SQL } from './warehouse-rules.ts'
import { writeStatement } from './statement.ts'

const ROWS = 10

// The functions of DuckDB and the readers of Spark by the format of files.
const FORMATS = newTable<{ duckdb: string; spark: string }>({
  parquet: { duckdb: 'read_parquet', spark: 'parquet' },
  csv: { duckdb: 'read_csv', spark: 'csv' },
  json: { duckdb: 'read_json', spark: 'json' },
  avro: { duckdb: 'read_avro', spark: 'avro' },
  delta: { duckdb: 'delta_scan', spark: 'delta' },
  iceberg: { duckdb: 'iceberg_scan', spark: 'iceberg' },
})

function writeDuckdbSelect(columns: readonly string[], source: string): string {
  const statement = writeStatement(['x'], columns, { quotes: 'double', limit: 'limit' })
  return statement.replace('\nFROM "x"', () => `\nFROM ${source}`)
}

function writeFileSelect({ get, columns }: Target, place: string): string {
  const read = FORMATS[get('format').toLowerCase()]?.duckdb
  const text = duckdbText(place)
  return writeDuckdbSelect(columns, read === undefined ? text : `${read}(${text})`)
}

function writeSparkRead({ get }: Target, place: string): string {
  const format = FORMATS[get('format').toLowerCase()]?.spark
  if (format === undefined) return `rows = spark.read.load(${pythonText(place)})`
  const head = format === 'csv' ? '.option("header", True)' : ''
  // Spark has a reader only for the formats that it includes.
  const load = ['parquet', 'csv', 'json'].includes(format)
    ? `.${format}(${pythonText(place)})`
    : `.format("${format}").load(${pythonText(place)})`
  return `rows = spark.read${head}${load}`
}

function createFiles(
  property: string,
  secret: (target: Target) => string = () => '',
  toSpark = (place: string): string => place,
): PlatformRules {
  return {
    tableLabel: 'File',
    rules: [
      {
        tool: 'DuckDB',
        language: 'sql',
        needs: [property],
        write: (target) => secret(target) + writeFileSelect(target, target.get(property)),
      },
      {
        tool: 'Spark',
        language: 'python',
        needs: [property],
        write: (target) =>
          `${writeSparkRead(target, toSpark(target.get(property)))}\nrows.show(${ROWS})`,
      },
    ],
  }
}

function writeS3Secret({ get }: Target): string {
  const [, scheme, host] = /^(https?):\/\/([^/?#]+)/i.exec(get('endpointUrl')) ?? []
  const own = host === undefined ? '' : `, ENDPOINT ${duckdbText(host)}, URL_STYLE 'path'`
  const isOpen = scheme?.toLowerCase() === 'http' ? ', USE_SSL false' : ''
  return `CREATE SECRET (TYPE s3, PROVIDER credential_chain${own}${isOpen});\n`
}

const S3 = createFiles('location', writeS3Secret, (place) => place.replace(/^s3:/, 's3a:'))

const AZURE = createFiles('location', ({ get }) => {
  const account = /^(?:abfss?|https?):\/\/(?:[^@/]*@)?([a-z0-9]+)\./.exec(get('location'))?.[1]
  const own = account === undefined ? '' : `, ACCOUNT_NAME ${duckdbText(account)}`
  return `CREATE SECRET (TYPE azure, PROVIDER credential_chain${own});\n`
})

const SFTP: PlatformRules = {
  tableLabel: 'File',
  rules: [
    {
      tool: 'DuckDB',
      language: 'python',
      needs: ['location'],
      write: (target) => {
        const address = URL.parse(target.get('location'))
        if (address?.protocol !== 'sftp:' || address.hostname === '') return undefined
        const port = address.port === '' ? '' : `, port=${address.port}`
        const host = pythonText(address.hostname)
        const query = pythonText(inOneLine(writeFileSelect(target, target.get('location'))))
        return [
          'import duckdb, fsspec',
          `files = fsspec.filesystem("sftp", host=${host}${port}, username="<user>", password="<password>")`,
          'duckdb.register_filesystem(files)',
          `rows = duckdb.sql(${query})`,
          'rows.show()',
        ].join('\n')
      },
    },
    {
      tool: 'sftp',
      language: 'shell',
      needs: ['location'],
      write: ({ get }) => {
        const { protocol, host, pathname } = URL.parse(get('location')) ?? {}
        if (protocol !== 'sftp:' || host === undefined || host === '') return undefined
        return `sftp ${shellWord(`sftp://<user>@${host}${pathname?.replace(/[^/]*$/, '') ?? ''}`)}`
      },
    },
  ],
}

const KAFKA: PlatformRules = {
  tableLabel: 'Topic',
  rules: [
    {
      tool: 'kcat',
      language: 'shell',
      needs: ['servers', 'topic'],
      write: ({ get }) =>
        `kcat -C -b ${shellWord(get('servers'))} -t ${shellWord(get('topic'))} -o beginning -c ${ROWS} -e`,
    },
    {
      tool: 'Python',
      language: 'python',
      needs: ['servers', 'topic'],
      write: ({ get }) =>
        [
          'from confluent_kafka import Consumer',
          '',
          'consumer = Consumer({',
          `    "bootstrap.servers": ${pythonText(get('servers'))},`,
          '    "group.id": "<group>",',
          '    "auto.offset.reset": "earliest",',
          '})',
          `consumer.subscribe([${pythonText(get('topic'))}])`,
          `for message in consumer.consume(${ROWS}, timeout=10):`,
          '    print(message.key(), message.value())',
        ].join('\n'),
    },
  ],
}

const isWeb = (text: string): boolean => /^https?:\/\//i.test(text)

const API: PlatformRules = {
  tableLabel: 'Resource',
  rules: [
    {
      tool: 'curl',
      language: 'shell',
      needs: ['location'],
      // Without --globoff, brackets and braces are patterns.
      write: ({ get }) =>
        isWeb(get('location'))
          ? `curl --globoff --fail --header ${shellWord('Authorization: Bearer <token>')} ${shellWord(get('location'))}`
          : undefined,
    },
    {
      tool: 'Python',
      language: 'python',
      needs: ['location'],
      write: ({ get }) =>
        isWeb(get('location'))
          ? [
              'import requests',
              '',
              'headers = {"Authorization": "Bearer <token>"}',
              `answer = requests.get(${pythonText(get('location'))}, headers=headers, timeout=30)`,
              'answer.raise_for_status()',
              'print(answer.json())',
            ].join('\n')
          : undefined,
    },
  ],
}

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

// The catalog has a name in settings and statements, where quotes are not accepted everywhere.
function writeIcebergSpark({ get, statement }: Target): string | undefined {
  const catalog = get('catalog')
  if (!isName(catalog)) return undefined
  const at = (name: string) => `"spark.sql.catalog.${catalog}${name}"`
  const warehouse = get('warehouse')
  return [
    'from pyspark.sql import SparkSession',
    '',
    'spark = (',
    '    SparkSession.builder',
    `    .config(${at('')}, "org.apache.iceberg.spark.SparkCatalog")`,
    `    .config(${at('.type')}, "rest")`,
    `    .config(${at('.uri')}, ${pythonText(get('catalogUrl'))})`,
    ...(warehouse === '' ? [] : [`    .config(${at('.warehouse')}, ${pythonText(warehouse)})`]),
    '    .getOrCreate()',
    ')',
    `spark.sql(${pythonText(inOneLine(statement))}).show()`,
  ].join('\n')
}

const quoteDuckdb = (name: string): string => `"${name.replaceAll('"', '""')}"`

const ICEBERG: PlatformRules = {
  dialect: {
    quotes: 'tick',
    limit: 'limit',
    location: { database: 'catalog', schema: 'namespace' },
  },
  rules: [
    {
      tool: 'Spark',
      language: 'python',
      needs: ['catalog', 'catalogUrl', 'statement'],
      interprets: /\$\{/,
      write: writeIcebergSpark,
    },
    {
      tool: 'DuckDB',
      language: 'sql',
      needs: ['catalog', 'catalogUrl', 'table'],
      write: (target) => {
        const { get, columns, path } = target
        const name = quoteDuckdb(get('catalog'))
        const warehouse = duckdbText(get('warehouse'))
        const endpoint = duckdbText(get('catalogUrl'))
        return [
          "CREATE SECRET (TYPE iceberg, TOKEN '<token>');",
          `ATTACH ${warehouse} AS ${name} (TYPE iceberg, ENDPOINT ${endpoint});`,
          writeDuckdbSelect(columns, path.map(quoteDuckdb).join('.')),
        ].join('\n')
      },
    },
  ],
}

const GLUE_DUCKDB: SnippetRule = {
  tool: 'DuckDB',
  language: 'sql',
  needs: ['account', 'database', 'table'],
  write: ({ get, columns, path }) => {
    const name = ['glue', ...path].map(quoteDuckdb).join('.')
    return [
      'CREATE SECRET (TYPE s3, PROVIDER credential_chain);',
      `ATTACH ${duckdbText(get('account'))} AS glue (TYPE iceberg, ENDPOINT_TYPE glue);`,
      writeDuckdbSelect(columns, name),
    ].join('\n')
  },
}

const GLUE: PlatformRules = {
  dialect: { quotes: 'tick', limit: 'limit', location: { schema: 'database' } },
  rules: [SPARK_SQL, GLUE_DUCKDB],
}

/** The rules of files, streams, interfaces and catalogs of tables by the type of their servers. */
export const FILE_RULES = newTable<PlatformRules>({
  s3: S3,
  gcs: createFiles('location', () => 'CREATE SECRET (TYPE gcs, PROVIDER credential_chain);\n'),
  azure: AZURE,
  adls: AZURE,
  local: createFiles('path'),
  sftp: SFTP,
  kafka: KAFKA,
  api: API,
  iceberg: ICEBERG,
  glue: GLUE,
})
