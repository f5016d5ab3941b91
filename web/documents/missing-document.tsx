import type { ReactNode } from 'react'
import { ButtonLink } from '../parts/button.tsx'
import { capitalize } from '../parts/capitalize.ts'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { exactTime } from '../parts/time.tsx'
import type { DocumentKind } from './document-kind.ts'
import { useVersions } from './history-list.tsx'

interface MissingDocumentProps {
  kind: DocumentKind
  id: string
  /** Shown if there never was a document with this id. */
  children: ReactNode
}

/** The page of a document that does not exist: deleted, with a way to restore it, or never created. */
export function MissingDocument({ kind, id, children }: MissingDocumentProps) {
  const versions = useVersions(kind, id)
  const label = capitalize(kind.called)
  const [last] = versions.data ?? []
  const title = last === undefined ? `${label} not found` : `${label} deleted`
  return (
    <Page title={title} trail={[kind.list]}>
      <Loaded query={versions} missing={children}>
        {() =>
          last === undefined ? (
            children
          ) : (
            <Empty
              title={last.validTo === null ? 'Deleted' : `Deleted ${exactTime(last.validTo)}`}
              action={
                <ButtonLink look="primary" href={kind.editPage(id, { version: last.version })}>
                  Restore {kind.called}
                </ButtonLink>
              }
            >
              <code className="user-text">{id}</code> can be restored unchanged. You can review the
              changes before you save. Its{' '}
              <Link href={kind.versionsPage(id)}>
                {last.version === 1 ? 'version' : `${last.version} versions`}
              </Link>{' '}
              can still be read.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}
