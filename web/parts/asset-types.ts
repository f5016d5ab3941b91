// Databases of these platforms hold schemas; the others hold tables.
const SCHEMA_DATABASES =
  /^(?:postgres|redshift|cockroachdb|yugabytedb|mssql|snowflake|oracle|databricks|unity|bigquery|fabric)_/

/** Returns whether assets of a type hold schemas, which hold the tables. */
export function holdsSchemas(type: string): boolean {
  return /_(?:database|catalog)$/.test(type) && SCHEMA_DATABASES.test(type)
}
