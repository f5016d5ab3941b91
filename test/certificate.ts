import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a self-signed certificate for `localhost`, as PEM. */
export function newCertificate(): { key: string; cert: string } {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-certificate-'))
  try {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')] as const
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const files = ['-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], { stdio: 'pipe' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
