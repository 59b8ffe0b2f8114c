# Solution: Use gradient checkpointing or smaller batch size
torch.utils.checkpoint.checkpoint(attention_layer, x)
