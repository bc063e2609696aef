"""The cells lab: one step of a tanh RNN, an LSTM or a GRU opened up, and such steps in stacks and from both ends."""
