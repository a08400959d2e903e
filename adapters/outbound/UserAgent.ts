// The name under which the service calls webhook receivers; its page tells them what is sent.

export interface Sender {
  readonly publicUrl: string
}

export const userAgent = ({ publicUrl }: Sender): string => `BacklinkOrderingService/1 (+${publicUrl}/docs)`
