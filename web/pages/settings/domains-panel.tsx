import { useState } from 'react'
import { api, client, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'
import { useAction } from '../../shell/action.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'

type MailDomain = Schemas['MailDomain']

const FIELDS: readonly FieldRecord<'domain'>[] = [
  {
    name: 'domain',
    title: 'Domain',
    hint: 'The part of the addresses of your people after the @.',
    control: { required: true, maxLength: 253, autoComplete: 'off', spellCheck: false },
  },
]

/** The mail domains of the organization, and how to verify them. */
export function DomainsPanel() {
  const query = api.useQuery('get', '/ui/mail-domains')
  const [form, setForm] = useState({ domain: '' })
  const add = useAction({
    request: () => client.POST('/ui/mail-domains', { body: form }),
    onSuccess: () => setForm({ domain: '' }),
    refresh: ['/ui/mail-domains'],
  })
  return (
    <QueryPanel
      title="Mail domains"
      query={query}
      skeleton={{ lines: 3, label: 'Loading the mail domains' }}
    >
      {({ domains }) => (
        <div className="grid gap-4">
          <p className="max-w-3xl text-muted">
            A provider signs in people by the addresses of a verified domain.
          </p>
          {domains.length > 0 && (
            <ul className="grid gap-3">
              {domains.map((domain) => (
                <DomainRow key={domain.domain} domain={domain} />
              ))}
            </ul>
          )}
          <InputForm
            label="Add domain"
            fields={FIELDS}
            values={form}
            onChange={setForm}
            action="Add domain"
            sending={add}
            onSubmit={() => add.run()}
          />
        </div>
      )}
    </QueryPanel>
  )
}

function DomainRow({ domain: { domain, recordName, recordText, proof } }: { domain: MailDomain }) {
  const path = { params: { path: { domain } } }
  const check = useAction({
    request: () => client.POST('/ui/mail-domains/{domain}/check', path),
    notice: `${domain} is verified`,
    refresh: ['/ui/mail-domains'],
  })
  return (
    <li className="grid gap-2 border-b border-line pb-3">
      <div className="flex flex-wrap items-center gap-3">
        <span className="user-text min-w-0 flex-1 font-medium break-all">{domain}</span>
        <Status tone={proof === null ? 'caution' : 'positive'}>
          {proof === null ? 'Not verified' : 'Verified'}
        </Status>
        {proof === null && (
          <Button busy={check.isPending} onClick={() => check.run()}>
            Check record
          </Button>
        )}
        <ActionButton
          label="Remove domain"
          title={`Remove ${domain}?`}
          button="Remove domain"
          danger
          request={() => client.DELETE('/ui/mail-domains/{domain}', path)}
          notice="Domain removed"
          refresh={['/ui/mail-domains']}
        >
          Providers can no longer sign in people by the addresses of this domain.
        </ActionButton>
      </div>
      {proof === null && (
        <div className="grid gap-1.5">
          <p className="text-sm text-muted">
            Add a TXT record with this name and text at your name server, or ask the operator.
          </p>
          <CodeBlock text={recordName} label={`Name of the record of ${domain}`} />
          <CodeBlock text={recordText} label={`Text of the record of ${domain}`} />
          <ProblemNotice problem={check.problem} />
        </div>
      )}
    </li>
  )
}
