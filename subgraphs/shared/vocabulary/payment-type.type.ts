// What the graph says of each kind of payment.
import { graphEnum } from '../graph/graph-enum';
import { paymentTypes } from './payment-type';

export const PaymentTypes = graphEnum(paymentTypes, {
  name: 'PaymentType',
  description: 'What kind of payment it was, as quotes and reports tell them apart.',
  values: {
    CARD: 'By a card.',
    INVOICE: 'By an invoice.',
    INSTALLMENT: 'Paid back in instalments.',
    A2A: 'From account to account, such as by a bank redirect.',
    WALLET: 'By any other alternative method, such as PAYPAL.',
  },
});
