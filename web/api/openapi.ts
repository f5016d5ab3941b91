// Written by `npm run openapi` from the endpoint table; never by hand.

/** Every address, with what it takes and answers. */
export interface paths {
  '/api/dataproducts': {
    get: {
      parameters: {
        query?: {
          q?: string
          teamId?: string[]
          domainId?: string[]
          status?: string
          tag?: string
          sort?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt'
          p?: number
          asOf?: string
          archetype?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}': {
    get: {
      parameters: {
        query?: {
          asOf?: string
          format?: 'odps'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: {
          dryRun?: boolean
          strict?: boolean
          failOn?: 'breaking'
          owner?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Document']
          'application/yaml': components['schemas']['Document']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document'] | components['schemas']['Plan']
            'application/yaml': components['schemas']['Document'] | components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query?: {
          dryRun?: boolean
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        412: components['responses']['PreconditionFailed']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}/versions': {
    get: {
      parameters: {
        query?: {
          p?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Version'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}/versions/{version}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          version: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}/diff': {
    get: {
      parameters: {
        query?: {
          from?: number
          to?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Diff']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post: {
      parameters: {
        query?: {
          from?: number
          to?: 'draft'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Document']
          'application/yaml': components['schemas']['Document']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Diff']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}/contracts': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['PortContract'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/dataproducts/{id}/lineage': {
    get: {
      parameters: {
        query?: {
          depth?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Lineage']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts': {
    get: {
      parameters: {
        query?: {
          q?: string
          teamId?: string[]
          domainId?: string[]
          status?: string
          tag?: string
          sort?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt'
          p?: number
          asOf?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}': {
    get: {
      parameters: {
        query?: {
          asOf?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: {
          dryRun?: boolean
          strict?: boolean
          failOn?: 'breaking'
          owner?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Document']
          'application/yaml': components['schemas']['Document']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document'] | components['schemas']['Plan']
            'application/yaml': components['schemas']['Document'] | components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query?: {
          dryRun?: boolean
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        412: components['responses']['PreconditionFailed']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/datacontract.yaml': {
    get: {
      parameters: {
        query?: {
          asOf?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/versions': {
    get: {
      parameters: {
        query?: {
          p?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Version'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/versions/{version}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          version: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/diff': {
    get: {
      parameters: {
        query?: {
          from?: number
          to?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Diff']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post: {
      parameters: {
        query?: {
          from?: number
          to?: 'draft'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Document']
          'application/yaml': components['schemas']['Document']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Diff']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/model': {
    get: {
      parameters: {
        query?: {
          asOf?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ContractModel']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/export': {
    get: {
      parameters: {
        query: {
          format: 'odcs' | 'json-schema' | 'avro' | 'protobuf' | 'sql' | 'dbt' | 'bigquery'
          dialect?:
            | 'postgresql'
            | 'mysql'
            | 'sqlserver'
            | 'snowflake'
            | 'bigquery'
            | 'databricks'
            | 'hive'
          report?: boolean
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ExportReport'] | unknown | null
            'application/schema+json': components['schemas']['ExportReport'] | unknown | null
            'text/plain': components['schemas']['ExportReport'] | unknown | null
            'application/sql': components['schemas']['ExportReport'] | unknown | null
            'application/yaml': components['schemas']['ExportReport'] | unknown | null
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/datacontracts/{id}/ports': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ContractUse']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/teams': {
    get: {
      parameters: {
        query?: {
          p?: number
          email?: string
          asOf?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Team'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/teams/{id}': {
    get: {
      parameters: {
        query?: {
          asOf?: string
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Team']
            'application/yaml': components['schemas']['Team']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: {
          dryRun?: boolean
          strict?: boolean
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Team']
          'application/yaml': components['schemas']['Team']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Team'] | components['schemas']['Plan']
            'application/yaml': components['schemas']['Team'] | components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        412: components['responses']['PreconditionFailed']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/teams/{id}/versions': {
    get: {
      parameters: {
        query?: {
          p?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Version'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/teams/{id}/versions/{version}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          version: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/assets': {
    get: {
      parameters: {
        query?: {
          q?: string
          owner?: string
          source?: string
          p?: number
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Asset'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/assets/{id}': {
    get: {
      parameters: {
        query?: {
          layer?: 'merged' | 'source'
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Asset']
            'application/yaml': components['schemas']['Asset']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: {
          dryRun?: boolean
          strict?: boolean
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['Document']
          'application/yaml': components['schemas']['Document']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Asset'] | components['schemas']['Plan']
            'application/yaml': components['schemas']['Asset'] | components['schemas']['Plan']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        412: components['responses']['PreconditionFailed']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/assets/{id}/versions': {
    get: {
      parameters: {
        query?: {
          p?: number
        }
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Version'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/assets/{id}/versions/{version}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
          version: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
            'application/yaml': components['schemas']['Document']
          }
        }
        304: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/assets/{id}/model': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ContractModel']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest': {
    get: {
      parameters: {
        query?: {
          p?: number
          owningTeamExternalId?: string
          source?:
            | 'snowflake'
            | 'databricks'
            | 'bigquery'
            | 'postgres'
            | 'mysql'
            | 'mariadb'
            | 'mssql'
            | 'glue'
            | 'alation'
            | 'fabric'
            | 'powerbi'
            | 'iceberg'
          enabled?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IntegrationDetails']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}/runs': {
    get: {
      parameters: {
        query?: {
          status?: 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'
          limit?: number
        }
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}/runs/latest': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}/runs/{ingestionRunId}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}/run': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        202: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ScheduledRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['RunInProgress']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/ingest/{externalId}/cancel': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations': {
    get: {
      parameters: {
        query?: {
          p?: number
          owningTeamExternalId?: string
          source?:
            | 'snowflake'
            | 'databricks'
            | 'bigquery'
            | 'postgres'
            | 'mysql'
            | 'mariadb'
            | 'mssql'
            | 'glue'
            | 'alation'
            | 'fabric'
            | 'powerbi'
            | 'iceberg'
          enabled?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IntegrationDetails']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}/runs': {
    get: {
      parameters: {
        query?: {
          status?: 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'
          limit?: number
        }
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}/runs/latest': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}/runs/{ingestionRunId}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}/run': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        202: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ScheduledRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['RunInProgress']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/integrations/{externalId}/cancel': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/search': {
    get: {
      parameters: {
        query?: {
          query?: string
          q?: string
          resourceType?: ('DATA_PRODUCT' | 'DATA_CONTRACT' | 'DATA_ASSET' | 'TEAM')[]
          teamId?: string[]
          domain?: string[]
          status?: string[]
          tag?: string[]
          source?: string[]
          format?: string[]
          classification?: string[]
          p?: number
          limit?: number
          facets?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['SearchAnswer']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/events': {
    get: {
      parameters: {
        query?: {
          lastEventId?: string
          include?: 'document'
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/cloudevents-batch+json': components['schemas']['Event'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/api-keys': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['ApiKeyRequest']
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['CreatedApiKey']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/api-keys/{organizationApiKeyId}': {
    get?: never
    put?: never
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          organizationApiKeyId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/organization/settings': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['OrganizationSettings']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/start': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Start']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/set-up': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            token: string
            organization: string
            name: string
            email: string
            password: string
          }
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/sign-in': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            email: string
            password: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/invitations/look': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            token: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['OpenInvitation']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/invitations/accept': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            token: string
            name?: string
            password: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/password-reset/look': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            token: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['OpenPasswordReset']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/password-reset': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            token: string
            password: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['FinishedPasswordReset']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/session': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/sign-out': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/sign-out-everywhere': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/profile': {
    get?: never
    put: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/password': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            currentPassword: string
            newPassword: string
          }
        }
      }
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/members': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Member'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/members/{userId}': {
    get?: never
    put: {
      parameters: {
        query?: never
        header?: never
        path: {
          userId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            role: 'Owner' | 'Member'
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Member']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          userId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/members/{userId}/password-reset': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          userId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['CreatedPasswordReset']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/invitations': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Invitation'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            email: string
            role: 'Owner' | 'Member'
          }
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['CreatedInvitation']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/invitations/{id}': {
    get?: never
    put?: never
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/organization': {
    get?: never
    put: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/organizations': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            name: string
          }
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Session']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/sources': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              source: string
              title: string
              configuration: { [key: string]: unknown }
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
              }[]
              connectionFields: string[]
              levels: string[]
              scopeLevel: string
              assetKinds: string[]
            }[]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'] & {
              configuration: { [key: string]: unknown }
              filters: components['schemas']['Filters']
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
                setAt: string | null
              }[]
              nextTimes: string[]
              pausedBecause: string | null
              version: number
              mayEdit: boolean
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/test': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              ok: boolean
              findings: {
                state: 'ok' | 'warning' | 'error'
                what: string
                hint?: string
                fix?: {
                  title: string
                  field: string
                  value: string
                }
              }[]
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/scopes': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              scopes: {
                path: string[]
                kind: string
                decision: 'included' | 'excluded' | 'denied'
                message?: string
              }[]
              counts: {
                included: number
                excluded: number
                denied: number
              }
              problem: string | null
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/schedule': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            scheduleExpression: string
            timeZone?: string | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              nextTimes: string[]
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'] & {
              configuration: { [key: string]: unknown }
              filters: components['schemas']['Filters']
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
                setAt: string | null
              }[]
              nextTimes: string[]
              pausedBecause: string | null
              version: number
              mayEdit: boolean
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'] & {
              configuration: { [key: string]: unknown }
              filters: components['schemas']['Filters']
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
                setAt: string | null
              }[]
              nextTimes: string[]
              pausedBecause: string | null
              version: number
              mayEdit: boolean
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete: {
      parameters: {
        query: {
          assets: 'keep' | 'delete'
        }
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        412: components['responses']['PreconditionFailed']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/enable': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'] & {
              configuration: { [key: string]: unknown }
              filters: components['schemas']['Filters']
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
                setAt: string | null
              }[]
              nextTimes: string[]
              pausedBecause: string | null
              version: number
              mayEdit: boolean
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/disable': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Integration'] & {
              configuration: { [key: string]: unknown }
              filters: components['schemas']['Filters']
              secrets: {
                name: string
                title: string
                required: boolean
                multiline: boolean
                setAt: string | null
              }[]
              nextTimes: string[]
              pausedBecause: string | null
              version: number
              mayEdit: boolean
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/test': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              ok: boolean
              findings: {
                state: 'ok' | 'warning' | 'error'
                what: string
                hint?: string
                fix?: {
                  title: string
                  field: string
                  value: string
                }
              }[]
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/scopes': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            externalId?: string | null
            name: string
            source: string
            owningTeamExternalId?: string | null
            configuration: { [key: string]: unknown }
            filters?: components['schemas']['Filters']
            secrets?: { [key: string]: string | null }
            scheduleExpression?: string | null
            timeZone?: string | null
            enabled?: boolean
            version?: number | null
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              scopes: {
                path: string[]
                kind: string
                decision: 'included' | 'excluded' | 'denied'
                message?: string
              }[]
              counts: {
                included: number
                excluded: number
                denied: number
              }
              problem: string | null
            }
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/run': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            kind?: 'ingest' | 'preview'
            force?: boolean
          }
        }
      }
      responses: {
        202: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/scopes': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              scope: string[]
              kind: string
              state: string
              objects: number
              message: string | null
            }[]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/changes': {
    get: {
      parameters: {
        query?: {
          after?: string
          limit?: string
        }
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              assetId: string
              action: 'created' | 'updated' | 'deleted' | 'revived'
              heldBecause: 'brake' | 'filter' | null
              pathBefore: string[] | null
              pathAfter: string[] | null
              versionBefore: number | null
              versionAfter: number | null
            }[]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/log': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              at: string
              level: string
              text: string
            }[]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/undo': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/confirm': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/reject': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          externalId: string
          ingestionRunId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['IngestionRun']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/search-synonyms': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['SearchSynonyms']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': {
            groups: string[][]
          }
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['SearchSynonyms']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/home': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Home']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/first-steps': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['FirstSteps']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/activity': {
    get: {
      parameters: {
        query?: {
          kind?: ('data-product' | 'data-contract' | 'team' | 'asset' | 'ingestion-run')[]
          level?: ('breaking' | 'additive' | 'wording')[]
          since?: string
          until?: string
          actor?: string
          after?: string
          limit?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ActivityPage']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/activity/changes': {
    get: {
      parameters: {
        query: {
          kind?: ('data-product' | 'data-contract' | 'team' | 'asset' | 'ingestion-run')[]
          level?: ('breaking' | 'additive' | 'wording')[]
          since?: string
          until?: string
          actor: string
          minute: string
          after?: string
          limit?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['ActivityChangesPage']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/activity/actors': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': {
              principal: string
              name: string
            }[]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/domains': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['DomainSummary'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/domains/products': {
    get: {
      parameters: {
        query?: {
          domain?: string
          sort?: 'name' | 'updated'
          p?: string
          limit?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['DomainProducts']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/principals': {
    get: {
      parameters: {
        query?: {
          id?: string[]
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['NamedPrincipal'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/about': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['About']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/api-keys': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['UiApiKeys']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['UiApiKeyRequest']
        }
      }
      responses: {
        201: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['CreatedApiKey']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        408: components['responses']['RequestTimeout']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/api-keys/{organizationApiKeyId}': {
    get?: never
    put?: never
    post?: never
    delete: {
      parameters: {
        query?: never
        header?: never
        path: {
          organizationApiKeyId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        204: { headers: { [name: string]: unknown }; content?: never }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/assets/roots': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['AssetRoot'][]
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/assets/children': {
    get: {
      parameters: {
        query?: {
          integration?: string
          parent?: string
          after?: string
          limit?: number
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['AssetNodes']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/assets/{id}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['AssetPage']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/assets/{id}/annotation': {
    get?: never
    put: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody: {
        content: {
          'application/json': components['schemas']['AssetAnnotation']
        }
      }
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Asset']
            'application/yaml': components['schemas']['Asset']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        408: components['responses']['RequestTimeout']
        412: components['responses']['PreconditionFailed']
        413: components['responses']['PayloadTooLarge']
        415: components['responses']['UnsupportedMediaType']
        422: components['responses']['UnprocessableEntity']
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ui/assets/{id}/contract': {
    get?: never
    put?: never
    post: {
      parameters: {
        query?: never
        header?: never
        path: {
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: {
          headers: { [name: string]: unknown }
          content: {
            'application/json': components['schemas']['Document']
          }
        }
        400: components['responses']['BadRequest']
        401: components['responses']['Unauthorized']
        403: components['responses']['Forbidden']
        404: components['responses']['NotFound']
        409: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        422: {
          headers: { [name: string]: unknown }
          content: {
            'application/problem+json': components['schemas']['Problem']
          }
        }
        429: components['responses']['TooManyRequests']
        503: components['responses']['ServiceUnavailable']
      }
    }
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}

/** The shapes that have names. */
export interface components {
  schemas: {
    Problem: {
      type: string
      title: string
      status: number
      detail: string
      instance: string
      code:
        | 'request_malformed'
        | 'request_too_slow'
        | 'headers_too_large'
        | 'credentials_missing'
        | 'credentials_unknown'
        | 'credentials_expired'
        | 'request_forged'
        | 'too_many_requests'
        | 'overloaded'
        | 'upload_budget_exceeded'
        | 'store_unavailable'
        | 'not_found'
        | 'method_not_allowed'
        | 'read_only_key'
        | 'not_a_member'
        | 'schema_newer'
        | 'schema_older'
        | 'store_full'
        | 'id_unusable'
        | 'event_unknown'
        | 'query_invalid'
        | 'media_type_unsupported'
        | 'body_too_large'
        | 'body_malformed'
        | 'body_unacceptable'
        | 'permission_missing'
        | 'precondition_failed'
        | 'document_invalid'
        | 'validation_failed'
        | 'document_too_costly'
        | 'format_ended'
        | 'in_use'
        | 'last_owner'
        | 'invalid_state'
        | 'change_breaking'
        | 'run_in_progress'
        | 'id_taken'
        | 'already_member'
        | 'member_elsewhere'
        | 'limit_reached'
        | 'internal'
      violations?: {
        field: string
        message: string
        line?: number
        column?: number
      }[]
      permission?:
        | 'RESOURCES_ADD'
        | 'RESOURCES_EDIT'
        | 'RESOURCES_DELETE'
        | 'CHANGE_REQUEST_SUBMIT'
        | 'CHANGE_REQUEST_APPROVE'
        | 'ACCESS_ADD'
        | 'ACCESS_EDIT'
        | 'ACCESS_DELETE'
        | 'ACCESS_REQUEST'
        | 'ACCESS_APPROVE'
        | 'ACCESS_TERMINATE'
        | 'TEAM_ADD'
        | 'TEAM_EDIT'
        | 'TEAM_DELETE'
        | 'TEAM_MEMBER_ADD'
        | 'TEAM_MEMBER_EDIT'
        | 'TEAM_MEMBER_DELETE'
        | 'INGESTION_EDIT'
      team?: {
        id: string
        name?: string
      } | null
      people?: {
        name: string
      }[]
      precondition?: 'exists' | 'changed' | 'missing'
      unknownTeam?: {
        id: string
        field: string
        suggestions?: {
          id: string
          name: string
        }[]
      }
    }
    Document: { [key: string]: unknown }
    Plan: {
      outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
      level: 'breaking' | 'additive' | 'wording' | 'none'
      changes: components['schemas']['Change'][]
      warnings: {
        field: string
        message: string
        line: number
        column: number
      }[]
      affected: {
        resourceType: 'DATA_PRODUCT' | 'TEAM'
        id: string
        name: string
        ownerId: string
        ports?: {
          direction: 'input' | 'output'
          id: string
          name: string
          version: string | null
          contractId: string
        }[]
      }[]
      contracts?: components['schemas']['PortContract'][]
      exports?: {
        format: string
        lossCount: number
        losses: components['schemas']['Loss'][]
      }[]
    }
    Change: {
      path: string
      kind: 'added' | 'removed' | 'changed' | 'renamed'
      level: 'breaking' | 'additive' | 'wording'
      before?: unknown
      after?: unknown
      message: string
    }
    PortContract: {
      direction: 'input' | 'output'
      id: string
      name: string
      version: string | null
      contractId: string
      contract: {
        id: string
        name: string
        version: string | null
        status: string | null
        ownerId: string | null
      } | null
    }
    Loss: {
      path: string
      message: string
    }
    Version: {
      version: number
      validFrom: string
      validTo: string | null
      principal: string
      level: 'breaking' | 'additive' | 'wording' | 'none'
      digest: string
    }
    Diff: {
      from: number
      to: number | 'draft'
      level: 'breaking' | 'additive' | 'wording' | 'none'
      changes: components['schemas']['Change'][]
    }
    Lineage: {
      nodes: {
        key: string
        kind: 'DATA_PRODUCT' | 'SOURCE_SYSTEM' | 'DATA_ASSET'
        id: string
        name: string
        ownerId: string | null
        ownerName: string | null
        status: string | null
        exists: boolean
      }[]
      edges: {
        from: string
        to: string
        contractId: string | null
        contractName: string | null
        ports: string[]
      }[]
      truncated: boolean
    }
    ContractModel: {
      models: components['schemas']['Model'][]
      warnings: {
        field: string
        message: string
        line: number
        column: number
      }[]
    }
    Model: {
      name: string
      physicalName?: string
      kind: 'table' | 'view' | 'topic' | 'file' | 'object'
      description?: string
      namespace?: string
      fields: components['schemas']['Field'][]
      primaryKey: string[]
      quality: components['schemas']['QualityCheck'][]
      tags: string[]
      origin: string
    }
    Field: {
      name: string
      physicalName?: string
      physicalType?: string
      logicalType:
        | 'string'
        | 'integer'
        | 'number'
        | 'boolean'
        | 'date'
        | 'time'
        | 'timestamp'
        | 'object'
        | 'array'
        | 'map'
        | 'binary'
        | 'unknown'
      required: boolean
      unique: boolean
      primaryKeyPosition?: number
      description?: string
      enum?: unknown[]
      pattern?: string
      minLength?: number
      maxLength?: number
      minItems?: number
      maxItems?: number
      minimum?: unknown
      maximum?: unknown
      exclusiveMinimum?: unknown
      exclusiveMaximum?: unknown
      precision?: number
      scale?: number
      format?: string
      classification?: string
      tags: string[]
      fields?: components['schemas']['Field'][]
      items?: components['schemas']['Field']
      keys?: components['schemas']['Field']
      values?: components['schemas']['Field']
      references: string[]
      quality: components['schemas']['QualityCheck'][]
      origin: string
    }
    QualityCheck: {
      name?: string
      type: string
      description?: string
      rule?: unknown
      origin: string
    }
    ExportReport: {
      format: string
      losses: components['schemas']['Loss'][]
    }
    ContractUse: {
      providers: components['schemas']['ContractUser'][]
      consumers: components['schemas']['ContractUser'][]
    }
    ContractUser: {
      id: string
      name: string
      ownerId: string
      ownerName: string
      ports: {
        direction: 'input' | 'output'
        id: string
        name: string
        version: string | null
        contractId: string
      }[]
    }
    Team: {
      id: string
      name: string
      type:
        | 'Domain'
        | 'Team'
        | 'Domain Team'
        | 'Enabling Team'
        | 'Platform Team'
        | 'Governance Group'
      parent?: string | null
      description?: string | null
      members?:
        | ({
            emailAddress: string
            role?: string | null
          } & { [key: string]: unknown })[]
        | null
      tags?: string[] | null
      links?: { [key: string]: unknown } | null
      custom?: { [key: string]: unknown } | null
    } & { [key: string]: unknown }
    Asset: {
      id?: string | null
      info: {
        owner?: string | null
        source?: string | null
        sourceId?: string | null
        sourceUrl?: string | null
        type?: string | null
        name?: string | null
        qualifiedName?: string | null
        version?: string | null
        status?: string | null
        description?: string | null
      } & { [key: string]: unknown }
      columns?:
        | ({
            name?: string | null
            type?: string | null
            description?: string | null
            required?: boolean | null
            unique?: boolean | null
            primaryKey?: boolean | null
            properties?: unknown[] | null
            items?: unknown
            tags?: string[] | null
            links?: { [key: string]: unknown } | null
            custom?: { [key: string]: unknown } | null
          } & { [key: string]: unknown })[]
        | null
      relationships?:
        | ({
            relationshipType?: string | null
            assetId?: string | null
          } & { [key: string]: unknown })[]
        | null
      tags?: string[] | null
      links?: { [key: string]: unknown } | null
      properties?: { [key: string]: unknown } | null
      custom?: { [key: string]: unknown } | null
      ingestion?: unknown
      statistic?: unknown
    } & { [key: string]: unknown }
    Integration: {
      externalId: string
      name: string
      source:
        | 'snowflake'
        | 'databricks'
        | 'bigquery'
        | 'postgres'
        | 'mysql'
        | 'mariadb'
        | 'mssql'
        | 'glue'
        | 'alation'
        | 'fabric'
        | 'powerbi'
        | 'iceberg'
      enabled: boolean
      assetOwnerTeamExternalId: string | null
      owningTeamExternalId: string | null
      scheduleExpression: string | null
      timeZone: string
      latestRun: components['schemas']['IngestionRun']
    }
    IngestionRun: {
      ingestionRunId: string
      integrationExternalId: string
      status: 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED'
      message: string | null
      assetsProcessed: number
      assetsCreated: number
      assetsUpdated: number
      assetsDeleted: number
      startedAt: string
      completedAt: string | null
      kind: 'ingest' | 'preview' | 'undo' | 'confirm'
      phase: 'waiting' | 'checking' | 'listing' | 'publishing'
      attempt: number
      assetsHeld: number
      heldState: 'pending' | 'confirmed' | 'rejected' | 'superseded' | null
      startedBy: string
    } | null
    IntegrationDetails: components['schemas']['Integration'] & {
      configuration: { [key: string]: unknown }
    }
    ScheduledRun: {
      integrationExternalId: string
      scheduledAt: string
      deferred: boolean
      message: string
      ingestionRunId: string
    }
    RunInProgress: {
      status: 'already_running'
      message: string
    }
    SearchAnswer: {
      query: string
      answer: null
      leftOut: string[]
      total: number
      totalIsMinimum: boolean
      results: components['schemas']['SearchResult'][]
      facets: components['schemas']['SearchFacets']
    }
    SearchResult: {
      id: string
      url: string
      ownerId: string | null
      ownerName: string | null
      name: string
      resourceType: 'DATA_PRODUCT' | 'DATA_CONTRACT' | 'DATA_ASSET' | 'TEAM'
      description: string | null
      status: string | null
      domain: string | null
      tags: string[]
      source: string | null
      type: string | null
      updatedAt: string
      why: components['schemas']['SearchReason'][]
      highlights: components['schemas']['SearchHighlight'][]
    }
    SearchReason: {
      field:
        | 'id'
        | 'name'
        | 'description'
        | 'owner'
        | 'tag'
        | 'domain'
        | 'column'
        | 'port'
        | 'classification'
        | 'other'
      how: 'exact' | 'prefix' | 'word' | 'synonym' | 'typo'
      path: string | null
    }
    SearchHighlight: {
      field:
        | 'id'
        | 'name'
        | 'description'
        | 'owner'
        | 'tag'
        | 'domain'
        | 'column'
        | 'port'
        | 'classification'
        | 'other'
      text: string
      ranges: number[][]
    }
    SearchFacets: {
      resourceType: components['schemas']['SearchFacetValue'][]
      team: components['schemas']['SearchFacetValue'][]
      domain: components['schemas']['SearchFacetValue'][]
      status: components['schemas']['SearchFacetValue'][]
      tag: components['schemas']['SearchFacetValue'][]
      source: components['schemas']['SearchFacetValue'][]
      format: components['schemas']['SearchFacetValue'][]
      classification: components['schemas']['SearchFacetValue'][]
    } | null
    SearchFacetValue: {
      value: string
      label: string
      count: number
    }
    Event: {
      specversion: '1.0'
      id: string
      type: string
      source: string
      subject: string
      time: string
      datacontenttype: 'application/json'
      principal: string
      data: {
        id: string
        timestamp: string
        version: number
        outputPortId?: string
        before?: unknown
        after?: unknown
      }
    }
    CreatedApiKey: {
      organizationApiKeyId: string
      displayName: string
      key: string
      scope: 'user' | 'user_read' | 'team' | 'team_read' | 'organization' | 'organization_read'
      teamId: string | null
      expiresAt: string | null
    }
    ApiKeyRequest: {
      scope: 'user' | 'user_read' | 'team' | 'team_read' | 'organization' | 'organization_read'
      teamId?: string | null
      displayName?: string | null
      expiresAt?: string | null
    }
    OrganizationSettings: {
      organizationId: string
      name: string
      caller: {
        organizationApiKeyId: string | null
        displayName: string
        scope: 'user' | 'user_read' | 'team' | 'team_read' | 'organization' | 'organization_read'
        teamId: string | null
        readOnly: boolean
      }
    }
    Start: {
      isSetUp: boolean
      version: string
    }
    Session: {
      user: {
        id: string
        name: string
        email: string
      }
      organization: {
        id: string
        name: string
        role: 'Owner' | 'Member'
      } | null
      organizations: {
        id: string
        name: string
        role: 'Owner' | 'Member'
      }[]
      teams: {
        id: string
        name: string
        roles: string[]
        permissions: (
          | 'RESOURCES_ADD'
          | 'RESOURCES_EDIT'
          | 'RESOURCES_DELETE'
          | 'CHANGE_REQUEST_SUBMIT'
          | 'CHANGE_REQUEST_APPROVE'
          | 'ACCESS_ADD'
          | 'ACCESS_EDIT'
          | 'ACCESS_DELETE'
          | 'ACCESS_REQUEST'
          | 'ACCESS_APPROVE'
          | 'ACCESS_TERMINATE'
          | 'TEAM_ADD'
          | 'TEAM_EDIT'
          | 'TEAM_DELETE'
          | 'TEAM_MEMBER_ADD'
          | 'TEAM_MEMBER_EDIT'
          | 'TEAM_MEMBER_DELETE'
          | 'INGESTION_EDIT'
        )[]
      }[]
    }
    OpenInvitation: {
      organizationName: string
      email: string
      role: 'Owner' | 'Member'
      invitedBy: string
      expiresAt: string
    }
    OpenPasswordReset: {
      email: string
      expiresAt: string
    }
    FinishedPasswordReset: {
      email: string
      deletedApiKeys: number
    }
    Member: {
      userId: string
      name: string
      email: string
      role: 'Owner' | 'Member'
      joinedAt: string
      lastSeenAt: string | null
      teams: {
        id: string
        name: string
        role: string
      }[]
    }
    CreatedPasswordReset: {
      link: string
      expiresAt: string
    }
    Invitation: {
      id: string
      email: string
      role: 'Owner' | 'Member'
      invitedBy: string
      createdAt: string
      expiresAt: string
      expired: boolean
    }
    CreatedInvitation: {
      id: string
      email: string
      role: 'Owner' | 'Member'
      link: string
      expiresAt: string
    }
    Filters: {
      include?: {
        catalog?: string[]
        database?: string[]
        schema?: string[]
        namespace?: string[]
        table?: string[]
      }
      exclude?: {
        catalog?: string[]
        database?: string[]
        schema?: string[]
        namespace?: string[]
        table?: string[]
      }
    }
    SearchSynonyms: {
      groups: string[][]
      known: string[][]
    }
    Home: {
      counts: {
        dataProducts: number
        dataContracts: number
        teams: number
        assets: number
        integrations: number
      }
      products: components['schemas']['HomeProduct'][]
      productsAreMine: boolean
      activity: {
        breaking: components['schemas']['ActivityGroup'][]
        latest: components['schemas']['ActivityGroup'][]
      }
      attention: components['schemas']['Attention'][]
    }
    HomeProduct: {
      id: string
      name: string
      status: string | null
      ownerId: string
      ownerName: string
      description: string | null
      format: string
      updatedAt: string
    }
    ActivityGroup: {
      minute: string
      actor: string
      actorName: string | null
      total: number
      breaking: number
      tallies: {
        kind: 'data-product' | 'data-contract' | 'team' | 'asset' | 'ingestion-run'
        action: 'created' | 'updated' | 'deleted' | 'ingested'
        count: number
      }[]
      changes: components['schemas']['ActivityChange'][]
    }
    ActivityChange: {
      at: string
      kind: 'data-product' | 'data-contract' | 'team' | 'asset' | 'ingestion-run'
      id: string
      name: string
      action: 'created' | 'updated' | 'deleted' | 'ingested'
      version: number | null
      level: 'breaking' | 'additive' | 'wording' | null
      integrationExternalId: string | null
      counts: {
        created: number
        updated: number
        deleted: number
      } | null
    }
    Attention: {
      kind:
        | 'run_failed'
        | 'deletes_held'
        | 'integration_paused'
        | 'key_expiring'
        | 'contract_missing'
        | 'contract_unowned'
        | 'format_ending'
      severity: 'serious' | 'warning' | 'note'
      title: string
      detail: string
      target: {
        kind: 'data-product' | 'data-contract' | 'integration' | 'run' | 'api-keys' | 'search'
        id: string | null
        integrationExternalId: string | null
      }
      at: string | null
      count: number
    }
    FirstSteps: {
      team: boolean
      dataProduct: boolean
      apiKey: boolean
      integration: boolean
      isInUse: boolean
    }
    ActivityPage: {
      groups: components['schemas']['ActivityGroup'][]
      next: string | null
    }
    ActivityChangesPage: {
      changes: components['schemas']['ActivityChange'][]
      next: string | null
    }
    DomainSummary: {
      id: string | null
      name: string | null
      description: string | null
      isTeam: boolean
      dataProducts: number
      dataContracts: number
      teams: number
      updatedAt: string | null
    }
    DomainProducts: {
      products: components['schemas']['DomainProduct'][]
      hasMore: boolean
    }
    DomainProduct: {
      id: string
      name: string
      status: string | null
      archetype: string | null
      ownerId: string
      ownerName: string
      description: string | null
      ports: string[]
      portCount: number
      updatedAt: string
    }
    NamedPrincipal: {
      principal: string
      name: string | null
      kind: 'user' | 'api-key' | 'system' | 'integration'
    }
    About: {
      version: string
      nodeVersion: string
      store: {
        version: string
        sizeBytes: number | null
      }
      baseUrl: string
      startedAt: string
      workers: number
      health: {
        store: 'ok' | 'slow'
        storeMs: number
      }
      encryptionKeyId: string | null
      dpsUntil: string
      dcsUntil: string
      memoryBytes: number
    }
    UiApiKeys: {
      keys: components['schemas']['UiApiKey'][]
      count: number
      max: number
    }
    UiApiKey: {
      organizationApiKeyId: string
      displayName: string
      secretPrefix: string | null
      scope: 'user' | 'user_read' | 'team' | 'team_read' | 'organization' | 'organization_read'
      teamId: string | null
      teamName: string | null
      personName: string | null
      createdAt: string
      createdBy: string
      lastUsedAt: string | null
      expiresAt: string | null
      expired: boolean
      isMine: boolean
      mayDelete: boolean
    }
    UiApiKeyRequest: {
      scope: 'user' | 'user_read' | 'team' | 'team_read' | 'organization' | 'organization_read'
      teamId?: string | null
      displayName: string
      expiresAt?: string | null
    }
    AssetRoot: {
      integrationExternalId: string | null
      name: string
      source: string | null
      assetCount: number
      rootCount: number
    }
    AssetNodes: {
      nodes: components['schemas']['AssetNode'][]
      next: string | null
    }
    AssetNode: {
      id: string
      name: string
      type: string
      description: string | null
      ownerId: string | null
      childCount: number
      status: 'live' | 'deleted'
    }
    AssetPage: {
      id: string
      name: string
      type: string
      isIngested: boolean
      isDeleted: boolean
      version: number
      etag: string
      asset: { [key: string]: unknown }
      source: { [key: string]: unknown } | null
      annotation: {
        description: string | null
        ownerId: string | null
        tags: string[] | null
        updatedAt: string
        updatedBy: string
      } | null
      integration: {
        externalId: string
        name: string
        source: string
      } | null
      parents: {
        id: string
        name: string
        type: string
      }[]
      childCount: number
      statistic: {
        rowCount: number | null
        sizeBytes: number | null
        changedAt: string | null
      } | null
      products: {
        id: string
        name: string
        ownerId: string
        ownerName: string
      }[]
      ownerName: string | null
    }
    AssetAnnotation: {
      description?: string | null
      owner?: string | null
      tags?: string[] | null
    }
  }
  responses: {
    BadRequest: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    Unauthorized: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    Forbidden: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    NotFound: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    RequestTimeout: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    PreconditionFailed: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    PayloadTooLarge: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    UnsupportedMediaType: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    UnprocessableEntity: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    TooManyRequests: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
    ServiceUnavailable: {
      headers: { [name: string]: unknown }
      content: {
        'application/problem+json': components['schemas']['Problem']
      }
    }
  }
}
