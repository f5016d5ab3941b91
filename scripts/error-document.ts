import { getErrorKind, ERROR_CODES } from '../server/platform/error-codes.ts'

const HEAD = `# Errors

<!-- Generated from server/platform/error-codes.ts by \`npm run openapi\`. -->

Every error is an \`application/problem+json\` document (RFC 9457). Programs read \`code\`, people read \`detail\`;
\`violations\` locates each problem, in documents with line and column.

\`\`\`json
{
  "type": "about:blank",
  "title": "Unprocessable Content",
  "status": 422,
  "detail": "team.name: Unknown team \\"fleet\\". Create it with PUT /api/teams/{id} first.",
  "instance": "/api/dataproducts/wagon-journeys",
  "code": "document_invalid",
  "violations": [{ "field": "team.name", "message": "Unknown team \\"fleet\\". …", "line": 7, "column": 9 }]
}
\`\`\`

A request gets the first error that applies, in the order of this table. Codes are stable; new ones may be added.

| Code | Status | Meaning | Fix |
|---|---|---|---|
`

/** Returns the text of `docs/errors.md`: every error code with its status, meaning and fix. */
export function writeErrorDocument(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, title, meaning, fix } = getErrorKind(code)
    return `| \`${code}\` | ${status} ${title} | ${meaning} | ${fix} |\n`
  })
  return HEAD + rows.join('')
}
